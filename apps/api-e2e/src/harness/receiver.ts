import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ShownEvent } from './events.js';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: ShownEvent;
  readonly atMs: number;
}

/** A receiver of webhooks on this machine, which records requests and sends the responses of a test. */
export class Receiver {
  readonly received: Received[] = [];
  /** Returns the status to send, or `taken` after it has sent the response itself. */
  answer: (received: Received, response: ServerResponse) => number | 'taken' = () => 204;
  private readonly server: Server;

  private constructor() {
    this.server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        const event = JSON.parse(body) as ShownEvent;
        const received = { path: request.url ?? '', headers: request.headers, body, event, atMs: Date.now() };
        this.received.push(received);
        const status = this.answer(received, response);
        if (status !== 'taken') response.writeHead(status).end();
      });
    });
  }

  static async start(): Promise<Receiver> {
    const receiver = new Receiver();
    await new Promise<void>((resolve) => receiver.server.listen(0, '127.0.0.1', resolve));
    return receiver;
  }

  /** Needs `WEBHOOK_ALLOW=127.0.0.0/8`. */
  url(path = '/'): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}${path}`;
  }

  at(path: string): Received[] {
    return this.received.filter((one) => one.path === path);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Polls until there is a value. @throws {Error} there is none in time. */
export async function eventually<T>(look: () => T | undefined | Promise<T | undefined>, withinMs = 30_000): Promise<T> {
  for (const giveUpAt = Date.now() + withinMs; ;) {
    const found = await look();
    if (found !== undefined) return found;
    if (Date.now() > giveUpAt) throw new Error(`Not within ${String(withinMs)} ms`);
    await sleep(20);
  }
}
