package server_test

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"io"
	"log/slog"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sightline-hq/sightline/internal/server"
)

// certificate makes one for loopback, known by its number.
func certificate(t *testing.T, number int64, until time.Time) (cert, key []byte) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	check(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(number), Subject: pkix.Name{CommonName: "sightline"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-24 * time.Hour), NotAfter: until, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	check(t, err)
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	check(t, err)
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret})
}

// lines is a log that can be read while it is written.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// await waits until something is so.
func await(t *testing.T, what string, so func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !so(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
	}
}

func TestACertificateIsReadAgainWhenItChanges(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write := func(cert, key []byte) {
		check(t, os.WriteFile(certFile, cert, 0o600))
		check(t, os.WriteFile(keyFile, key, 0o600))
	}
	later := time.Now().Add(time.Hour)
	write(certificate(t, 1, later))
	var log lines
	c, err := server.OpenCertificate(certFile, keyFile, slog.New(slog.NewTextHandler(&log, nil)))
	check(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	var following sync.WaitGroup
	following.Go(func() { c.Follow(ctx, 5*time.Millisecond) })
	defer func() { cancel(); following.Wait() }()
	f := serve(t, nil)
	b := put(t, f.Config.Handler, func(s *server.Serving) { s.Certificate = c })
	number := func() int64 {
		conn, err := tls.Dial("tcp", b.address, &tls.Config{InsecureSkipVerify: true})
		check(t, err)
		defer conn.Close()
		return conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64()
	}
	if n := number(); n != 1 {
		t.Fatalf("certificate %d", n)
	}
	write(certificate(t, 2, later))
	await(t, "the second certificate", func() bool { return number() == 2 })

	for name, pair := range map[string]func() ([]byte, []byte){
		"the key of another": func() ([]byte, []byte) {
			cert, _ := certificate(t, 3, later)
			_, key := certificate(t, 4, later)
			return cert, key
		},
		"nonsense":        func() ([]byte, []byte) { return []byte("no certificate"), []byte("no key") },
		"one that is old": func() ([]byte, []byte) { return certificate(t, 5, time.Now().Add(-time.Hour)) },
	} {
		before := strings.Count(log.String(), "is not used")
		write(pair())
		await(t, "a line about "+name, func() bool { return strings.Count(log.String(), "is not used") > before })
		if n := number(); n != 2 {
			t.Errorf("%s is used: %d", name, n)
		}
		time.Sleep(20 * time.Millisecond) // it is looked at again
		if c.Refused() == nil {
			t.Errorf("%s is not told of for as long as it lies there", name)
		}
	}
	check(t, os.Remove(keyFile))
	await(t, "a line about a file that is gone", func() bool { return strings.Contains(log.String(), "no such file") })
	write(certificate(t, 6, later))
	await(t, "the last certificate", func() bool { return number() == 6 })
	await(t, "no complaint any more", func() bool { return c.Refused() == nil })
	if c.Expires().Unix() != later.Unix() {
		t.Errorf("it expires %s", c.Expires())
	}
	if strings.Contains(log.String(), "PRIVATE") {
		t.Error("the log holds a key")
	}
}

func TestWithACertificateItIsHTTPSAndHTTP2(t *testing.T) {
	cert, key := certificate(t, 1, time.Now().Add(time.Hour))
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	check(t, os.WriteFile(certFile, cert, 0o600))
	check(t, os.WriteFile(keyFile, key, 0o600))
	c, err := server.OpenCertificate(certFile, keyFile, quiet)
	check(t, err)
	f := serve(t, nil)
	b := put(t, f.Config.Handler, func(s *server.Serving) { s.Certificate = c })
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(cert)
	for version, ask := range map[string]*http.Transport{
		"HTTP/2.0": {TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true},
		"HTTP/1.1": {TLSClientConfig: &tls.Config{RootCAs: roots}},
	} {
		req, err := http.NewRequest("GET", "https://"+b.address+"/v1/products", nil)
		check(t, err)
		req.Header.Set("Authorization", "Bearer "+f.key)
		res, err := (&http.Client{Transport: ask}).Do(req)
		check(t, err)
		_, err = io.Copy(io.Discard, res.Body)
		check(t, err)
		res.Body.Close()
		if res.Proto != version || res.StatusCode != 200 {
			t.Errorf("%s %d, want %s", res.Proto, res.StatusCode, version)
		}
		ask.CloseIdleConnections()
	}
	old := &tls.Config{RootCAs: roots, MaxVersion: tls.VersionTLS11}
	if conn, err := tls.Dial("tcp", b.address, old); err == nil {
		conn.Close()
		t.Error("TLS 1.1 is spoken")
	}
}

func TestACertificateThatIsWrongFromTheStartIsAnError(t *testing.T) {
	dir := t.TempDir()
	certFile, keyFile := filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	if _, err := server.OpenCertificate(certFile, keyFile, quiet); err == nil {
		t.Error("files that are not there")
	}
	cert, _ := certificate(t, 1, time.Now().Add(time.Hour))
	_, key := certificate(t, 2, time.Now().Add(time.Hour))
	check(t, os.WriteFile(certFile, cert, 0o600))
	check(t, os.WriteFile(keyFile, key, 0o600))
	if _, err := server.OpenCertificate(certFile, keyFile, quiet); err == nil || !strings.Contains(err.Error(), certFile) {
		t.Error(err)
	}
	cert, key = certificate(t, 3, time.Now().Add(-time.Hour))
	check(t, os.WriteFile(certFile, cert, 0o600))
	check(t, os.WriteFile(keyFile, key, 0o600))
	if _, err := server.OpenCertificate(certFile, keyFile, quiet); err == nil || !strings.HasPrefix(err.Error(), "the certificate in "+certFile+" expired on 20") {
		t.Error(err)
	}
}
