import { execFileSync } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';

import { certificateFiles, provideDatabase } from '@items/testing';

import { databaseAt } from '../../data/testing/database-url.testing.js';
import { startService } from '../testing/start-fixture.testing.js';
import { CertificateWatch } from './certificate-watch.js';

/** Returns the serial number that a server shows. */
function shownAt(port: number): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerX509Certificate()?.serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

describe('TLS_CERT and TLS_KEY', () => {
  it('are read again when the files change; a pair that does not match is not served', async () => {
    const files = certificateFiles();
    const other = mkdtempSync(join(tmpdir(), 'items-other-tls-'));
    const [cert, key] = [join(other, 'cert.pem'), join(other, 'key.pem')];
    const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '9'];
    execFileSync('openssl', [...request, '-subj', '/CN=localhost', '-keyout', key, '-out', cert], { stdio: 'ignore' });
    const database = await provideDatabase('sqlite');
    const running = await startService(databaseAt(database.url), files.env);
    try {
      const watch = running.service.app.get(CertificateWatch, { strict: false });
      const port = Number(new URL(running.baseUrl).port);
      const first = await shownAt(port);
      renameSync(cert, files.env.TLS_CERT);
      await watch.runNow();
      expect(await shownAt(port)).toBe(first);
      expect(running.lines.join('')).toContain('still serving the former certificate');
      renameSync(key, files.env.TLS_KEY);
      await watch.runNow();
      const second = await shownAt(port);
      expect(second).toMatch(/^[0-9A-F]+$/);
      expect(second).not.toBe(first);
      writeFileSync(files.env.TLS_CERT, 'broken');
      await watch.runNow();
      expect(await shownAt(port)).toBe(second);
    } finally {
      await running.service.app.close();
      files.remove();
      rmSync(other, { recursive: true });
      await database.drop();
    }
  });
});
