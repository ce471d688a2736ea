/**
 * For tests only, as `TEST_CERTIFICATE` is: the key is public. Self-signed for the name `receiver.example`, valid until
 * 2126.
 * @example openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
 *   -subj "/CN=receiver.example/O=Test only, worthless" -addext "subjectAltName=DNS:receiver.example"
 */
export const RECEIVER_CERTIFICATE = {
  name: 'receiver.example',
  cert: `-----BEGIN CERTIFICATE-----
MIIB5zCCAY6gAwIBAgIUVNBtglpkm3P0N6a38wxAc31KoAAwCgYIKoZIzj0EAwIw
OjEZMBcGA1UEAwwQcmVjZWl2ZXIuZXhhbXBsZTEdMBsGA1UECgwUVGVzdCBvbmx5
LCB3b3J0aGxlc3MwIBcNMjYxMTIyMTQxNjUzWhgPMjEyNjEwMjkxNDE2NTNaMDox
GTAXBgNVBAMMEHJlY2VpdmVyLmV4YW1wbGUxHTAbBgNVBAoMFFRlc3Qgb25seSwg
d29ydGhsZXNzMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJ7hAbrW3YgTCzBjG
6sQyB8xishqLpZ63CyjB4epSz3RdVXJJbRj948t1evd4jIKoYZK6RJG/NoW+jyEU
1z6Ol6NwMG4wHQYDVR0OBBYEFEJnmwlndTVO9PYtIPP0sA6ryuSXMB8GA1UdIwQY
MBaAFEJnmwlndTVO9PYtIPP0sA6ryuSXMA8GA1UdEwEB/wQFMAMBAf8wGwYDVR0R
BBQwEoIQcmVjZWl2ZXIuZXhhbXBsZTAKBggqhkjOPQQDAgNHADBEAiAuAUQz1gTk
Wecn4Rl94pQPHJH0MOhWQK8OOZP6rOp38QIgSPA7OhnSt6g9/pTU1ak8nBdQq93c
OP7H+OBF27vRrc4=
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQguUZTABBrwugYGu5u
AndpayyToyXQoPuHmP7c9sJBOPGhRANCAAQnuEButbdiBMLMGMbqxDIHzGKyGoul
nrcLKMHh6lLPdF1VckltGP3jy3V693iMgqhhkrpEkb82hb6PIRTXPo6X
-----END PRIVATE KEY-----
`,
};
