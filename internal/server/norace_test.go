//go:build !race

package server_test

const slowdown = 1
