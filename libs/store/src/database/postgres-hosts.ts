import pg from 'pg';

/** How long one of several hosts is waited for, in milliseconds. */
const LOOK_TIMEOUT_MS = 1000;
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)/;

/**
 * The servers that a URL names, each with the whole URL: `postgres://user@h1,h2:5433/items` has two. What is asked of them
 * by `target_session_attrs` goes without saying: the service writes.
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

/** Finds, among several servers, the one that can be written to. */
export class PostgresHosts {
  private latest = 0;

  /** @param urls one for each server, at least two. */
  constructor(private readonly urls: readonly string[]) {}

  /** The one that was found last, where it still can be. @throws {Error} where none can: the reason of the last. */
  async find(): Promise<{ readonly host: string; readonly port: number }> {
    let reason: unknown;
    for (let tried = 0; tried < this.urls.length; tried += 1) {
      const index = (this.latest + tried) % this.urls.length;
      const client = new pg.Client({ connectionString: this.urls[index], connectionTimeoutMillis: LOOK_TIMEOUT_MS });
      client.on('error', () => undefined);
      try {
        await client.connect();
        await refuseReadOnly(client);
        this.latest = index;
        return { host: client.host, port: client.port };
      } catch (error) {
        reason = error;
      } finally {
        client.end().catch(() => undefined);
      }
    }
    throw reason;
  }
}
