import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectTls } from 'node:tls';

import type { Connections } from '../connections/connections.js';
import { type Lifecycle, WARM_UP_MARK } from '../connections/lifecycle.js';
import type { RouteTable } from '../request/route-table.js';

export interface WarmUpOptions {
  /** Headers of each request, with a credential that may read collections. */
  readonly headers: Readonly<Record<string, string>>;
  readonly forMs: number;
  readonly requests: number;
  readonly asHttps?: boolean;
}

const CONNECTIONS = 8;
const LOOPBACK = '127.0.0.1';
const OK = 'HTTP/1.1 200 ';

/**
 * Warms up a server before it listens: reads the first two pages and the first member of every collection. The first
 * client then finds open database connections, prepared statements and compiled code. Warm-up writes nothing, appears
 * in no log or metric, and its errors do not prevent the start. ADR 45
 */
export class WarmUp {
  constructor(
    private readonly routes: RouteTable,
    private readonly lifecycle: Lifecycle,
    private readonly connections: Connections,
  ) {}

  async run(server: Server, { headers, forMs, requests, asHttps = false }: WarmUpOptions): Promise<number> {
    const isTls = 'setSecureContext' in server;
    const entrance = createServer({ noDelay: true }, (socket: Socket & { encrypted?: boolean }) => {
      if (asHttps && !isTls) socket.encrypted = true;
      server.emit('connection', socket);
    });
    // Skip the warm-up if a loopback interface or a file descriptor is missing.
    entrance.on('error', () => undefined);
    const isOpen = await once(entrance.listen(0, LOOPBACK), 'listening').then(
      () => true,
      () => false,
    );
    if (!isOpen) return 0;
    const { port } = entrance.address() as AddressInfo;
    const mark = randomUUID();
    this.lifecycle.setWarmUpMark(mark);
    const open = (): Socket =>
      isTls ? connectTls({ host: LOOPBACK, port, rejectUnauthorized: false }) : connect({ host: LOOPBACK, port });
    const client = new Client(open, { ...headers, host: LOOPBACK, [WARM_UP_MARK]: mark });
    const end = new AbortController();
    try {
      const late = sleep(forMs, undefined, { signal: end.signal }).catch(() => undefined);
      await Promise.race([this.read(client, { untilMs: performance.now() + forMs, requests }), late]);
      return client.read;
    } finally {
      end.abort();
      entrance.close();
      this.connections.cut();
      await this.connections.drained();
      this.lifecycle.setWarmUpMark(undefined);
    }
  }

  private async read(client: Client, { untilMs, requests }: { untilMs: number; requests: number }): Promise<void> {
    const found = await Promise.all(this.routes.collections().map((path) => targetsOf(client, path)));
    // Skip empty collections: more reads of them would warm up little code.
    const targets = found.filter(({ length }) => length > 1).flat();
    if (targets.length === 0) return;
    let started = 0;
    const next = (): string | undefined =>
      started < requests && performance.now() < untilMs ? targets[started++ % targets.length] : undefined;
    await Promise.all(Array.from({ length: CONNECTIONS }, () => client.send(next)));
  }
}

async function targetsOf(client: Client, path: string): Promise<string[]> {
  let text = '';
  await client.send((response) => {
    if (response === undefined) return path;
    text = response;
    return undefined;
  });
  if (!text.startsWith(OK)) return [];
  const { next_cursor: cursor, ...rest } = bodyOf(text);
  const members = Object.values(rest).find(Array.isArray) as { readonly id?: unknown }[] | undefined;
  const id = members?.[0]?.id;
  return [
    path,
    ...(typeof cursor === 'string' ? [`${path}?cursor=${encodeURIComponent(cursor)}`] : []),
    ...(typeof id === 'string' ? [`${path}/${encodeURIComponent(id)}`] : []),
  ];
}

function bodyOf(response: string): Record<string, unknown> {
  try {
    return JSON.parse(response.slice(response.indexOf('\r\n\r\n'))) as Record<string, unknown>;
  } catch {
    return {};
  }
}

class Client {
  read = 0;
  private readonly head: string;

  constructor(
    private readonly open: () => Socket,
    headers: Readonly<Record<string, string>>,
  ) {
    this.head = Object.entries(headers)
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('');
  }

  /**
   * Sends requests on one connection. @param next returns the next path, given the previous response; undefined to
   * stop.
   */
  async send(next: (response?: string) => string | undefined): Promise<void> {
    const socket = this.open();
    let text = '';
    const sendNext = (path: string | undefined): void => {
      text = '';
      if (path === undefined) socket.destroy();
      else socket.write(`GET ${path} HTTP/1.1\r\n${this.head}\r\n`);
    };
    socket.setEncoding('latin1').on('data', (chunk: string) => {
      text += chunk;
      if (!isWhole(text)) return;
      if (text.startsWith(OK)) this.read += 1;
      sendNext(next(text));
    });
    socket.on('error', () => undefined);
    sendNext(next());
    await once(socket, 'close').catch(() => undefined);
  }
}

function isWhole(response: string): boolean {
  const end = response.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const [, length = '0'] = /\r\ncontent-length: (\d+)/i.exec(response.slice(0, end)) ?? [];
  return response.length >= end + 4 + Number(length);
}
