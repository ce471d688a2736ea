import pg from 'pg';

/** How long the hosts are waited for, in milliseconds: a server that is merely busy answers within it. */
const LOOK_TIMEOUT_MS = 3000;
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)/;

/**
 * The servers that a URL names, each with the whole URL: `postgres://user@h1,h2:5433/items` has two.
 * `target_session_attrs` goes without saying: the service writes.
 */
export function urlsOf(url: string): readonly string[] {
  const [matched = '', before = '', hosts = ''] = HOSTS.exec(url) ?? [];
  const after = url.slice(matched.length);
  const rest = after.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}

/** A server that can only be read: a standby, say. */
export class ReadOnlyServerError extends Error {
  constructor() {
    super('it can only be read, as a standby: name the server that can be written to');
  }
}

/** @throws {ReadOnlyServerError} */
export async function refuseReadOnly(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServerError();
}

interface FoundHost {
  readonly host: string;
  readonly port: number;
}

/** Finds, among several servers, the one that can be written to. */
export class PostgresHosts {
  private latest = 0;

  /** @param urls one for each server, at least two. */
  constructor(private readonly urls: readonly string[]) {}

  /**
   * The one that was found last, where it still can be. All are asked at once, so that one that swallows what it is sent
   * costs its time-out once; who answers first is not who is taken.
   * @throws {Error} where none can: the reason of the last.
   */
  async find(): Promise<FoundHost> {
    const order = this.urls.map((_, tried) => (this.latest + tried) % this.urls.length);
    const looks = order.map((index) => look(this.urls[index]));
    // Those that are not waited for may fail in silence.
    for (const found of looks) found.catch(() => undefined);
    let reason: unknown;
    for (const [tried, found] of looks.entries()) {
      try {
        const host = await found;
        this.latest = order[tried] ?? 0;
        return host;
      } catch (error) {
        reason = error;
      }
    }
    throw reason;
  }
}

/** @throws {Error} where it does not answer in time, or cannot be written to. */
async function look(url: string | undefined): Promise<FoundHost> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: LOOK_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await refuseReadOnly(client);
    return { host: client.host, port: client.port };
  } finally {
    client.end().catch(() => undefined);
  }
}
