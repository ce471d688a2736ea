import { RawConnection } from '@items/testing';

import { HEADERS } from './headers.js';
import { oddBodies } from './json-bodies.js';
import type { Random } from '../harness/random.js';
import { inHeader, oddTexts } from './texts.js';

/** Maximum number of connections that are left open, silent or incomplete. */
const MAX_LEFT_OPEN = 300;
const ROUTES = ['/items', '/sessions', '/oauth/token', '/docs', '/users/me', '/health/live', '/nothing'];
const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD', 'CONNECT', 'FOO'];

/** Clients without a credential that send random requests and violate every rule. */
export class HostileClients {
  private readonly leftOpen: RawConnection[] = [];

  constructor(
    private readonly port: number,
    private readonly random: Random,
  ) {}

  /** Sends one request, or a part of one. */
  async act(): Promise<void> {
    const { random } = this;
    const connection = await RawConnection.open(this.port).catch(() => undefined);
    if (connection === undefined) return;
    const bytes = random.of([
      () => this.request(),
      () => Buffer.concat(Array.from({ length: 1 + random.below(40) }, () => this.request())),
      () => random.bytes(1 + random.below(2000)),
      () => Buffer.from('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'),
      () => Buffer.alloc(0),
    ])();
    connection.send(bytes.subarray(0, random.next() < 0.5 ? bytes.length : random.below(bytes.length + 1)));
    this.leave(connection);
  }

  close(): void {
    for (const connection of this.leftOpen) connection.destroy();
  }

  private leave(connection: RawConnection): void {
    const { random } = this;
    random.of([
      () => {
        connection.destroy();
      },
      () => {
        connection.end();
        this.leftOpen.push(connection);
      },
      () => {
        this.leftOpen.push(connection);
      },
    ])();
    if (this.leftOpen.length > MAX_LEFT_OPEN) this.leftOpen.shift()?.destroy();
  }

  private request(): Buffer {
    const { random } = this;
    const [, textOf] = random.of(oddTexts());
    const [, bodyOf] = random.of(oddBodies());
    const value = inHeader(textOf, random.below(14_000)).replaceAll(/[^\x20-\xff]/g, '');
    const body = bodyOf(random.below(16_000));
    const length = random.of([Buffer.byteLength(body), Buffer.byteLength(body) + 1, 0, 99_999_999]);
    const type = random.of(['application/json', 'application/x-www-form-urlencoded', 'x']);
    const head = [
      `${random.of(METHODS)} ${random.of(ROUTES)} HTTP/1.1`,
      'Host: a',
      `${random.of(HEADERS)}: ${value}`,
      `Content-Type: ${type}`,
      `Content-Length: ${String(length)}`,
      '',
      '',
    ].join('\r\n');
    return Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(body)]);
  }
}
