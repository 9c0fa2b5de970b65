package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// longestLine bounds a message: arguments are short.
const longestLine = 1 << 20

// lines lets through the lines of a client that are messages, and answers the
// others with the error that JSON-RPC has for them. The SDK would end the session
// at the first of them, without a word.
type lines struct {
	in      *bufio.Reader
	out     io.Writer
	left    []byte // of a message on its way
	batches bool   // the client's version of the protocol has them
}

func (l *lines) Read(p []byte) (int, error) {
	for len(l.left) == 0 {
		line, err := l.next()
		if len(bytes.TrimSpace(line)) > 0 {
			if problem := l.check(line); problem == nil {
				l.left = append(bytes.TrimSpace(line), '\n')
			} else if err := l.refuse(line, problem); err != nil {
				return 0, err
			}
		}
		if err != nil && len(l.left) == 0 {
			return 0, err
		}
	}
	n := copy(p, l.left)
	l.left = l.left[n:]
	return n, nil
}

// next is the next line. Of one that is too long the rest is skipped.
func (l *lines) next() (line []byte, err error) {
	for {
		part, err := l.in.ReadSlice('\n')
		if len(line) <= longestLine {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// problem is an error of the protocol.
type problem struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (l *lines) check(line []byte) *problem {
	if len(line) > longestLine {
		return &problem{jsonrpc.CodeInvalidRequest, "Invalid request: the message is too long"}
	}
	if !json.Valid(line) {
		return &problem{jsonrpc.CodeParseError, "Parse error: a message is one line of JSON"}
	}
	if bytes.TrimSpace(line)[0] == '[' {
		if l.batches {
			return nil
		}
		return &problem{jsonrpc.CodeInvalidRequest, "Invalid request: this version of the protocol has no batches"}
	}
	if _, err := jsonrpc.DecodeMessage(line); err != nil {
		return &problem{jsonrpc.CodeInvalidRequest, "Invalid request: not a message of JSON-RPC 2.0"}
	}
	var m struct {
		Method string
		Result json.RawMessage
		Error  json.RawMessage
		Params struct{ ProtocolVersion string }
	}
	err := json.Unmarshal(line, &m) // fails if the parameters are of another kind, which is the SDK's to say
	switch {
	case m.Method == "" && m.Result == nil && m.Error == nil:
		return &problem{jsonrpc.CodeInvalidRequest, "Invalid request: no method"}
	case m.Method == "initialize" && err == nil:
		l.batches = m.Params.ProtocolVersion == "2025-03-26" // the only one that has them
	}
	return nil
}

// refuse answers a line. Its id is null where it cannot be read.
func (l *lines) refuse(line []byte, p *problem) error {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	id := json.RawMessage("null")
	if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && (m.ID[0] == '"' || m.ID[0] == '-' || m.ID[0] >= '0' && m.ID[0] <= '9') {
		id = m.ID
	}
	text, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": p})
	if err != nil {
		return err
	}
	_, err = l.out.Write(append(text, '\n'))
	return err
}

// together is a writer that two may write whole messages to.
type together struct {
	mu  sync.Mutex
	out io.Writer
}

func (t *together) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.out.Write(p)
}
