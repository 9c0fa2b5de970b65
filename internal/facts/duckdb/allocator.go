package duckdb

// The engine has an allocator of its own, jemalloc, which keeps freed memory for a
// second, in an arena for each core, so that threads need not wait for one another.
// The requests of a server come on many threads, few at a time: what one request
// freed lay in another arena than the next one took from, and a server had up to
// a third more memory than it used. With fewer arenas and less patience it does not,
// and questions take no longer. The allocator reads its settings before any function
// of Go runs. What it is given in the environment counts after ours.

/*
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((constructor(101))) static void settings(void) {
	const char *name = "DUCKDB_JE_MALLOC_CONF", *given = getenv(name);
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	char all[1024];
	int n = snprintf(all, sizeof all, "narenas:%ld,dirty_decay_ms:200,muzzy_decay_ms:0%s%s",
		cores > 3 ? cores / 2 : 1, given ? "," : "", given ? given : "");
	if (n > 0 && n < (int)sizeof all)
		setenv(name, all, 1);
}
*/
import "C"
