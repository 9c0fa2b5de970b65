// Package lint holds the files of deploy to what BuildKit, Compose and Kubernetes
// themselves say of them, without running any of the three. It is a module of its
// own, so that the program does not depend on theirs: 'make manifests' runs it.
package lint
