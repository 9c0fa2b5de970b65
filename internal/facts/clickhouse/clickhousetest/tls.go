package clickhousetest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"
)

// StartSecure starts one server that speaks TLS alone, and returns its URL and
// the file of the certificate to trust.
func StartSecure(t testing.TB, database string) (url, authority string) {
	t.Helper()
	needServer(t)
	c := &Cluster{t: t, replicas: 1}
	s := &Server{t: t, dir: t.TempDir(), Native: freePort(t), HTTP: freePort(t)}
	c.Servers = []*Server{s}
	native, web := freePort(t), freePort(t)
	s.extra = fmt.Sprintf(`<tcp_port_secure>%d</tcp_port_secure><https_port>%d</https_port>
<openSSL><server><certificateFile>%[3]s/cert.pem</certificateFile><privateKeyFile>%[3]s/key.pem</privateKeyFile>
<verificationMode>none</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile></server></openSSL>`, native, web, s.dir)
	certificate(t, s.dir)
	c.configure(s)
	t.Cleanup(s.Kill)
	s.Start()
	return fmt.Sprintf("clickhouse://default@127.0.0.1:%d/%s?secure=true&http=127.0.0.1:%d", native, database, web), filepath.Join(s.dir, "cert.pem")
}

// certificate makes a certificate for the loopback address, and its key.
func certificate(t testing.TB, dir string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "clickhousetest"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: signed}, "key.pem": {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
