import { createServer } from 'node:http';

import { freePort } from '@items/testing';
import { Webhook } from 'standardwebhooks';

/** A receiver of webhooks that verifies signatures. */
export class SigningReceiver {
  /** Names of the created items whose events arrived. @type {Set<string>} */
  names = new Set();
  /** Number of requests whose signatures fit no secret of the webhook. */
  unsigned = 0;
  /** @type {string[]} */
  secrets = [];
  #server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request.setEncoding('utf8')) body += part;
    const headers = /** @type {Record<string, string>} */ (request.headers);
    if (this.secrets.some((secret) => isSigned(secret, body, headers))) {
      this.names.add(String(JSON.parse(body).data.object.name));
    } else this.unsigned += 1;
    response.writeHead(204).end();
  });

  /** @returns the address for a webhook. */
  async start() {
    const port = await freePort();
    await new Promise((resolve) => this.#server.listen(port, '127.0.0.1', () => resolve(undefined)));
    return `http://127.0.0.1:${port}/`;
  }

  stop() {
    this.#server.closeAllConnections();
    this.#server.close();
  }
}

/** @param {string} secret @param {string} body @param {Record<string, string>} headers */
function isSigned(secret, body, headers) {
  try {
    new Webhook(secret).verify(body, headers);
    return true;
  } catch {
    return false;
  }
}
