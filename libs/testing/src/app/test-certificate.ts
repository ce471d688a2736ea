import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * For tests only: the key is public, so that it protects nothing. Self-signed for `localhost`, `127.0.0.1` and `::1`,
 * valid until 2126. Node makes no certificates, and not every machine has OpenSSL.
 * @example openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 36500 \
 *   -subj "/CN=localhost/O=Test only, worthless" -addext "subjectAltName=DNS:localhost,IP:127.0.0.1,IP:::1"
 */
export const TEST_CERTIFICATE = {
  cert: `-----BEGIN CERTIFICATE-----
MIIB7DCCAZKgAwIBAgIUNxy59F/qN4+jr4c0R+bukiES69MwCgYIKoZIzj0EAwIw
MzESMBAGA1UEAwwJbG9jYWxob3N0MR0wGwYDVQQKDBRUZXN0IG9ubHksIHdvcnRo
bGVzczAgFw0yNjExMjEyMjUxMTNaGA8yMTI2MTAyODIyNTExM1owMzESMBAGA1UE
AwwJbG9jYWxob3N0MR0wGwYDVQQKDBRUZXN0IG9ubHksIHdvcnRobGVzczBZMBMG
ByqGSM49AgEGCCqGSM49AwEHA0IABMBurxuHkKMDVagPKsMkmYgRPZG+YkgmsWV8
edTehJuVRIXHCJ752UP70A3G+zj13Jmu7o5K9WDUcqRgSOK5qWCjgYEwfzAdBgNV
HQ4EFgQUvVevF4cNRIFd71qasj6tuNrTBb0wHwYDVR0jBBgwFoAUvVevF4cNRIFd
71qasj6tuNrTBb0wDwYDVR0TAQH/BAUwAwEB/zAsBgNVHREEJTAjgglsb2NhbGhv
c3SHBH8AAAGHEAAAAAAAAAAAAAAAAAAAAAEwCgYIKoZIzj0EAwIDSAAwRQIhAN4P
o3U3tBGrlnR5LTwJKHgGs3yjLhi6IB367hFaZUu+AiAnUhTt5BhitnQHEwOhoKiz
nfluS6JzfOimCZ/ZLjP2eA==
-----END CERTIFICATE-----
`,
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgYQ5syCM2T80Y1Oa8
SkWUXQBs+z7xwtsDOp08SNS7DrKhRANCAATAbq8bh5CjA1WoDyrDJJmIET2RvmJI
JrFlfHnU3oSblUSFxwie+dlD+9ANxvs49dyZru6OSvVg1HKkYEjiualg
-----END PRIVATE KEY-----
`,
};

export interface CertificateFiles {
  /** Values of `TLS_CERT` and `TLS_KEY`. */
  readonly env: Readonly<Record<'TLS_CERT' | 'TLS_KEY', string>>;
  remove(): void;
}

/** Writes {@link TEST_CERTIFICATE} into a folder of its own. */
export function certificateFiles(): CertificateFiles {
  const folder = mkdtempSync(join(tmpdir(), 'items-tls-'));
  const env = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') };
  writeFileSync(env.TLS_CERT, TEST_CERTIFICATE.cert);
  writeFileSync(env.TLS_KEY, TEST_CERTIFICATE.key);
  return {
    env,
    remove: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
