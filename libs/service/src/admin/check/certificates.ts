import { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { connect } from 'node:tls';

import type { Config } from '../../runtime/config/config.js';
import { failure, type Finding, ok, warning } from './finding.js';

const DAY_MS = 86_400_000;
/** Let's Encrypt certificates are renewed 30 days before expiry. Fewer than 21 days left indicate failed renewals. */
const SOON_DAYS = 21;
const NOW_DAYS = 3;
const CONNECT_MS = 3000;
const HTTPS_PORT = 443;

/** Checks the expiry of the certificate in TLS_CERT, or of the proxy at BASE_URL. */
export async function checkCertificates({ tls, baseUrl }: Config, nowMs: number): Promise<Finding> {
  if (tls !== undefined) return checkExpiry('TLS_CERT', new Date(new X509Certificate(tls.cert).validTo), nowMs);
  const { protocol, hostname, port } = new URL(baseUrl);
  if (protocol !== 'https:') return ok('BASE_URL is plain HTTP: there is none');
  const found = await certificateAt(hostname, Number(port || HTTPS_PORT));
  return found instanceof Date
    ? checkExpiry(`the certificate of ${hostname}`, found, nowMs)
    : ok(`not checked: ${hostname} cannot be reached from here (${found})`);
}

function checkExpiry(name: string, end: Date, nowMs: number): Finding {
  const days = Math.floor((end.getTime() - nowMs) / DAY_MS);
  const message = `${name} expires on ${end.toISOString().slice(0, 10)}`;
  const advice = 'Renew it. New files of TLS_CERT and TLS_KEY are read without a restart.';
  if (end.getTime() < nowMs) return failure(`${name} has expired on ${end.toISOString().slice(0, 10)}`, advice);
  if (days < NOW_DAYS) return failure(message, advice);
  return days < SOON_DAYS ? warning(message, advice) : ok(message);
}

function certificateAt(host: string, port: number): Promise<Date | string> {
  return new Promise((resolve) => {
    const name = isIP(host) === 0 ? { servername: host } : {};
    // Accept expired and private certificates, because only their dates are read.
    const socket = connect({ host, port, ...name, rejectUnauthorized: false, timeout: CONNECT_MS });
    socket.once('secureConnect', () => {
      const { valid_to: end } = socket.getPeerCertificate();
      resolve(typeof end === 'string' ? new Date(end) : 'it shows no certificate');
      socket.destroy();
    });
    socket.once('timeout', () => socket.destroy(new Error('it does not answer')));
    socket.once('error', (error: Error) => {
      resolve(error.message);
    });
  });
}
