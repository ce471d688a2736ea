import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

import { TEST_CERTIFICATE } from '@items/testing';

/** Longer than the timeout of the proxy for an instance. */
const PATIENCE_MS = 40_000;

/**
 * The outcome of a request. The status is 0 if there was no response; then `reason` explains it.
 * @typedef {{ status: number, body: any, etag?: string | undefined, reason?: string, ms: number }} Outcome
 */

/** A client that never retries and never throws, so that each failure is counted. */
export class PlainClient {
  /** @param {string} baseUrl @param {string} key */
  constructor(baseUrl, key) {
    this.base = new URL(baseUrl);
    this.key = key;
    const options = { keepAlive: true, maxSockets: 256 };
    this.agent =
      this.base.protocol === 'https:'
        ? new HttpsAgent({ ...options, ca: TEST_CERTIFICATE.cert })
        : new HttpAgent(options);
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {{ json?: unknown, headers?: Record<string, string> }} [options]
   * @returns {Promise<Outcome>}
   */
  send(method, path, { json, headers = {} } = {}) {
    const begunMs = performance.now();
    const body = json === undefined ? undefined : JSON.stringify(json);
    const open = this.base.protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve) => {
      /** @param {Omit<Outcome, 'ms'>} outcome */
      const done = (outcome) => {
        clearTimeout(patience);
        resolve({ ...outcome, ms: performance.now() - begunMs });
      };
      const sent = open(
        {
          host: this.base.hostname,
          port: this.base.port,
          method,
          path,
          agent: this.agent,
          headers: {
            'x-api-key': this.key,
            ...(body !== undefined && {
              'content-type': 'application/json',
              'content-length': String(Buffer.byteLength(body)),
            }),
            ...headers,
          },
        },
        (answer) => {
          let text = '';
          answer.setEncoding('utf8').on('data', (part) => (text += part));
          answer.on('error', (error) => done({ status: 0, body: undefined, reason: error.message }));
          answer.on('end', () => done({ status: answer.statusCode ?? 0, etag: answer.headers.etag, ...parsed(text) }));
        },
      );
      const patience = setTimeout(() => sent.destroy(new Error('no answer')), PATIENCE_MS);
      sent.on('error', (/** @type {NodeJS.ErrnoException} */ error) =>
        done({ status: 0, body: undefined, reason: error.code ?? error.message }),
      );
      sent.end(body);
    });
  }

  close() {
    this.agent.destroy();
  }
}

/** @param {string} text */
function parsed(text) {
  try {
    return { body: text === '' ? undefined : JSON.parse(text) };
  } catch {
    return { body: undefined, reason: `not JSON: ${text.slice(0, 60)}` };
  }
}
