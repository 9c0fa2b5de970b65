package engines

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/sightline-hq/sightline/bench/compare/data"
)

// chdb is today's ClickHouse as a library, in a process of its own.
type chdb struct {
	helper *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	folder string
	closed bool
}

func openChDB(ctx context.Context, folder, lib string) (Engine, error) {
	if !exists(lib) {
		return nil, fmt.Errorf("the ClickHouse library is not at %q (npm install @chdb/lib-linux-x64-gnu, then --chdb …/libchdb.so)", lib)
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	program, err := compile(ctx, folder)
	if err != nil {
		return nil, err
	}
	c := &chdb{helper: exec.Command(program, lib, filepath.Join(folder, "store")), folder: folder}
	if c.in, err = c.helper.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.helper.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReaderSize(out, 1<<20)
	c.helper.Stderr = os.Stderr
	if err := c.helper.Start(); err != nil {
		return nil, err
	}
	// What the server of 2018 accepts, this one accepts too.
	if err := c.Exec(ctx, "set joined_subquery_requires_alias = 0"); err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// compile builds the helper with the C compiler that Sightline needs as well.
func compile(ctx context.Context, folder string) (program string, err error) {
	source, err := files.ReadFile("chdb/helper.c")
	if err != nil {
		return "", err
	}
	file := filepath.Join(folder, "helper.c")
	if err := os.WriteFile(file, source, 0o644); err != nil {
		return "", err
	}
	program = filepath.Join(folder, "helper")
	if out, err := exec.CommandContext(ctx, "gcc", "-O1", "-o", program, file, "-ldl").CombinedOutput(); err != nil {
		return "", fmt.Errorf("gcc: %w\n%s", err, out)
	}
	return program, nil
}

func (c *chdb) Dialect() Dialect { return ClickHouse }

func (c *chdb) Version(ctx context.Context) (string, error) { return versionOf(ctx, c) }

func (c *chdb) Exec(_ context.Context, text string) error {
	for _, s := range statements(text) {
		if _, err := c.send(s); err != nil {
			return err
		}
	}
	return nil
}

func (c *chdb) Insert(_ context.Context, table data.Table, rows func(io.Writer) error) error {
	return throughPipe(c.folder, rows, func(pipe string) error {
		_, err := c.send(fmt.Sprintf("insert into %s select * from file('%s', 'TabSeparated') settings storage_file_read_method = 'read', max_insert_threads = 1", table, pipe))
		return err
	})
}

func (c *chdb) Ask(_ context.Context, query string) (Rows, error) {
	text, err := c.send(query)
	if err != nil {
		return Rows{}, err
	}
	return parseCompact(text)
}

// send hands a query to the helper and waits for what comes back.
func (c *chdb) send(query string) ([]byte, error) {
	if _, err := fmt.Fprintf(c.in, "%d\n%s", len(query), query); err != nil {
		return nil, err
	}
	line, err := c.out.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("the helper of the ClickHouse library ended: %w", err)
	}
	length, err := strconv.Atoi(strings.TrimSpace(line[1:]))
	if err != nil {
		return nil, err
	}
	text := make([]byte, length)
	if _, err := io.ReadFull(c.out, text); err != nil {
		return nil, err
	}
	if line[0] != '+' {
		return nil, errors.New(string(text))
	}
	return text, nil
}

func (c *chdb) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	err := c.in.Close() // it ends by itself
	return errors.Join(err, c.helper.Wait())
}
