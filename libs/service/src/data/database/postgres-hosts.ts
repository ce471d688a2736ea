import pg from 'pg';

/** A merely busy server also responds within this time. */
const CHECK_TIMEOUT_MS = 3000;
const HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)/;

/**
 * Splits `postgres://user@h1,h2:5433/items` into one URL per host. Removes `target_session_attrs`, because the service
 * always needs a writable server.
 */
export function urlsOf(url: string): readonly string[] {
  const [matched = '', before = '', hosts = ''] = HOSTS.exec(url) ?? [];
  const after = url.slice(matched.length);
  const rest = after.replace(/([?&])target_session_attrs=[^&#]*&?/, '$1').replace(/[?&]$/, '');
  return hosts.split(',').map((host) => `${before}${host}${rest}`);
}

export class ReadOnlyServerError extends Error {
  constructor() {
    super('the server is read-only, such as a standby: configure the writable server');
  }
}

export async function refuseReadOnly(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  const { rows } = await client.query<{ transaction_read_only: string }>('SHOW transaction_read_only');
  if (rows[0]?.transaction_read_only === 'on') throw new ReadOnlyServerError();
}

interface FoundHost {
  readonly host: string;
  readonly port: number;
}

export class PostgresHosts {
  private latest = 0;

  constructor(private readonly urls: readonly string[]) {}

  /**
   * Returns the previous server if it is still writable, else the next writable server. Checks are concurrent, so that
   * unresponsive servers cost a single timeout.
   */
  async find(): Promise<FoundHost> {
    const order = this.urls.map((_, tried) => (this.latest + tried) % this.urls.length);
    const checks = order.map((index) => checkHost(this.urls[index]));
    // Prevents unhandled rejections of checks that are not awaited.
    for (const check of checks) check.catch(() => undefined);
    let reason: unknown;
    for (const [tried, found] of checks.entries()) {
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

async function checkHost(url: string | undefined): Promise<FoundHost> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: CHECK_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await refuseReadOnly(client);
    return { host: client.host, port: client.port };
  } finally {
    client.end().catch(() => undefined);
  }
}
