import { LookUpCache } from '../../../data/caching/look-up-cache.js';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

const OF_KEYS = `SELECT allowed_origins AS found FROM api_keys
  WHERE allowed_origins IS NOT NULL AND (expires_at IS NULL OR expires_at > $1)`;
const OF_CLIENTS = `SELECT redirect_uris AS found FROM clients WHERE token_endpoint_auth_method = 'none'`;

/** There is only one list to look up. */
const ALL = 'origins';

/**
 * The origins whose pages may read responses beside those of `CORS_ORIGINS`: what stands in the `allowed_origins` of any
 * key, and the `https` origins of the redirect URIs of clients without a secret. SPEC §1.2
 */
@Injectable()
export class PageOrigins {
  private readonly known = new LookUpCache<ReadonlySet<string>>();

  constructor(private readonly database: Database) {}

  /** @throws {ServiceUnavailableError} */
  async all(): Promise<ReadonlySet<string>> {
    return (await this.known.get(ALL, () => this.read())) ?? new Set();
  }

  /** A key or a client was changed. */
  forget(): void {
    this.known.clear();
  }

  private async read(): Promise<ReadonlySet<string>> {
    const ofKeys = await this.texts(OF_KEYS, Date.now());
    const redirects = await this.texts(OF_CLIENTS);
    const ofClients = redirects.filter((uri) => uri.startsWith('https:') && URL.canParse(uri));
    return new Set([...ofKeys, ...ofClients.map((uri) => new URL(uri).origin)]);
  }

  private async texts(sql: string, ...params: readonly number[]): Promise<string[]> {
    const rows = await this.database.query<{ found: string }>(sql, params);
    return rows.flatMap(({ found }) => JSON.parse(found) as string[]);
  }
}
