/* Runs statements in libchdb, which is loaded from the path that is the first
   argument, on the data in the folder that is the second.

   A request on standard input is the length of a statement, 4 bytes, the lowest
   first, and the statement. The reply is one byte, 0 or 1 for an error, the length
   of what follows, 8 bytes, and the rows as RowBinaryWithNamesAndTypes, or the
   error's text. */
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef void *(*connect_fn)(int, char **);
typedef void *(*query_fn)(void *, const char *, size_t, const char *, size_t);
typedef char *(*buffer_fn)(void *);
typedef size_t (*length_fn)(void *);
typedef const char *(*error_fn)(void *);
typedef void (*destroy_fn)(void *);

static void *must(void *library, const char *name) {
  void *f = dlsym(library, name);
  if (!f) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  return f;
}

static void reply(FILE *out, unsigned char failed, const char *text, uint64_t length) {
  unsigned char head[9] = {failed};
  for (int i = 0; i < 8; i++) head[1 + i] = (unsigned char)(length >> (8 * i));
  fwrite(head, 1, sizeof head, out);
  fwrite(text, 1, length, out);
  fflush(out);
}

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_GLOBAL);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  connect_fn connect = (connect_fn)must(library, "chdb_connect");
  query_fn query = (query_fn)must(library, "chdb_query_n");
  buffer_fn buffer = (buffer_fn)must(library, "chdb_result_buffer");
  length_fn length = (length_fn)must(library, "chdb_result_length");
  error_fn error = (error_fn)must(library, "chdb_result_error");
  destroy_fn destroy = (destroy_fn)must(library, "chdb_destroy_query_result");
  char path[4096];
  snprintf(path, sizeof path, "--path=%s", argv[2]);
  char *arguments[] = {"clickhouse", path};
  void **connection = connect(2, arguments);
  if (!connection) {
    fprintf(stderr, "the engine does not start\n");
    return 1;
  }
  const char *format = "RowBinaryWithNamesAndTypes";
  unsigned char head[4];
  while (fread(head, 1, 4, stdin) == 4) {
    size_t size = head[0] | (size_t)head[1] << 8 | (size_t)head[2] << 16 | (size_t)head[3] << 24;
    char *statement = malloc(size + 1);
    if (!statement || fread(statement, 1, size, stdin) != size) return 1;
    statement[size] = 0;
    void *result = query(*connection, statement, size, format, strlen(format));
    free(statement);
    const char *wrong = result ? error(result) : "no result";
    if (wrong && *wrong)
      reply(stdout, 1, wrong, strlen(wrong));
    else
      reply(stdout, 0, buffer(result), length(result));
    if (result) destroy(result);
  }
  fflush(stdout);
  _exit(0); /* the library does not survive its own end */
}
