//go:build race

package server_test

// slowdown is about how much slower everything is under the race detector.
const slowdown = 10
