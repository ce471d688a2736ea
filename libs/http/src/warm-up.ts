import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, type IncomingMessage, request, type RequestOptions, type Server } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import type { Connections } from './connections.js';
import { type Lifecycle, OWN_MARK } from './lifecycle.js';
import type { RouteTable } from './route-table.js';

/** How a server is warmed up. */
export interface WarmUpOptions {
  /** Of each request: a credential that may read. */
  readonly headers: Readonly<Record<string, string>>;
  /** It takes no longer, in milliseconds. */
  readonly forMs: number;
  /** How many requests are enough. */
  readonly requests: number;
}

/** At once: as many as a page of a browser opens, and so few that none is refused. */
const CONNECTIONS = 6;
const LOOPBACK = '127.0.0.1';
const OK = 200;

/**
 * Reads all collections of a server that does not listen yet: their first page, the one after it, and their first member,
 * again and again for a time. Who asks first then finds connections to the database, prepared statements and compiled
 * code. It writes nothing, stands in no log and in no metric, and whatever fails in it is no reason not to start. ADR 59
 */
export class WarmUp {
  constructor(
    private readonly routes: RouteTable,
    private readonly lifecycle: Lifecycle,
    private readonly connections: Connections,
  ) {}

  /**
   * @param server ready to answer, not listening.
   * @returns how many requests were answered 200.
   */
  async run(server: Server, { headers, forMs, requests }: WarmUpOptions): Promise<number> {
    const isTls = 'setSecureContext' in server;
    const entrance = createServer({ noDelay: true }, (socket: Socket & { encrypted?: boolean }) => {
      // Where HTTPS is required, it is so of others: these requests never leave the process.
      if (!isTls) socket.encrypted = true;
      server.emit('connection', socket);
    });
    entrance.listen(0, LOOPBACK);
    await once(entrance, 'listening');
    const { port } = entrance.address() as AddressInfo;
    const mark = randomUUID();
    this.lifecycle.markOwn(mark);
    const agent = isTls ? new TlsAgent({ keepAlive: true, rejectUnauthorized: false }) : new Agent({ keepAlive: true });
    const client = new Client(isTls ? tlsRequest : request, {
      host: LOOPBACK,
      port,
      agent,
      headers: { ...headers, [OWN_MARK]: mark },
    });
    const end = new AbortController();
    try {
      const late = sleep(forMs, undefined, { signal: end.signal }).catch(() => undefined);
      await Promise.race([this.read(client, { untilMs: performance.now() + forMs, requests }), late]);
      return client.read;
    } finally {
      end.abort();
      agent.destroy();
      entrance.close();
      this.connections.cut();
      await this.connections.drained();
      this.lifecycle.markOwn(undefined);
    }
  }

  private async read(client: Client, { untilMs, requests }: { untilMs: number; requests: number }): Promise<void> {
    const targets = (await Promise.all(this.routes.collections().map((path) => targetsOf(client, path)))).flat();
    if (targets.length === 0) return;
    let next = 0;
    const readOn = async (): Promise<void> => {
      while (next < requests && performance.now() < untilMs) await client.get(targets[next++ % targets.length] ?? '/');
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, readOn)).catch(() => undefined);
  }
}

/** What is read of a collection; nothing where the credential may not, or there is no such list. */
async function targetsOf(client: Client, path: string): Promise<string[]> {
  const text = await client.get(path).catch(() => undefined);
  if (text === undefined) return [];
  const { next_cursor: cursor, ...rest } = JSON.parse(text) as Record<string, unknown>;
  const members = Object.values(rest).find(Array.isArray) as { readonly id?: unknown }[] | undefined;
  const id = members?.[0]?.id;
  return [
    path,
    ...(typeof cursor === 'string' ? [`${path}?cursor=${encodeURIComponent(cursor)}`] : []),
    ...(typeof id === 'string' ? [`${path}/${encodeURIComponent(id)}`] : []),
  ];
}

/** Asks over connections that are kept. */
class Client {
  read = 0;

  constructor(
    private readonly ask: (options: RequestOptions) => ClientRequest,
    private readonly options: RequestOptions,
  ) {}

  /** @returns undefined for another answer than 200. @throws {Error} where the connection ends. */
  async get(path: string): Promise<string | undefined> {
    const [answer] = (await once(this.ask({ ...this.options, path }).end(), 'response')) as [IncomingMessage];
    let text = '';
    for await (const chunk of answer.setEncoding('utf8')) text += String(chunk);
    if (answer.statusCode !== OK) return undefined;
    this.read += 1;
    return text;
  }
}
