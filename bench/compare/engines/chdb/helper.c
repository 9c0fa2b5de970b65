// Asks ClickHouse's engine as a library. It runs in a process of its own, so
// that its memory and its signals are its own.
//
//   helper LIBCHDB FOLDER
//
// Standard input: the length of a query in bytes, a newline, the query; again and again.
// Standard output: '+' or '-', the length of the answer or the error, a newline, and that.
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct chdb_result chdb_result;
typedef struct chdb_connection_ **chdb_connection;

static void *must(void *library, const char *name) {
	void *symbol = dlsym(library, name);
	if (!symbol) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	return symbol;
}

static void say(char sign, const char *text, size_t length) {
	printf("%c%zu\n", sign, length);
	fwrite(text, 1, length, stdout);
	fflush(stdout);
}

int main(int argc, char **argv) {
	if (argc != 3) {
		fprintf(stderr, "usage: helper LIBCHDB FOLDER\n");
		return 2;
	}
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	if (!library) {
		fprintf(stderr, "%s\n", dlerror());
		return 1;
	}
	chdb_connection *(*open)(int, char **) = must(library, "chdb_connect");
	chdb_result *(*query)(chdb_connection, const char *, const char *) = must(library, "chdb_query");
	const char *(*error)(chdb_result *) = must(library, "chdb_result_error");
	const char *(*buffer)(chdb_result *) = must(library, "chdb_result_buffer");
	size_t (*length)(chdb_result *) = must(library, "chdb_result_length");
	void (*destroy)(chdb_result *) = must(library, "chdb_destroy_query_result");
	void (*finish)(chdb_connection *) = must(library, "chdb_close_conn");

	char path[4096];
	snprintf(path, sizeof path, "--path=%s", argv[2]);
	char *arguments[] = {"clickhouse", path};
	chdb_connection *connection = open(2, arguments);
	if (!connection) {
		fprintf(stderr, "cannot open %s\n", argv[2]);
		return 1;
	}
	size_t size;
	while (scanf("%zu", &size) == 1 && getchar() == '\n') {
		char *text = calloc(size + 1, 1);
		if (fread(text, 1, size, stdin) != size)
			return 1;
		chdb_result *result = query(*connection, text, "JSONCompact");
		const char *problem = error(result);
		if (problem)
			say('-', problem, strlen(problem));
		else
			say('+', buffer(result), length(result));
		destroy(result);
		free(text);
	}
	finish(connection);
	return 0;
}
