import { LookUpCache } from '../../../data/caching/look-up-cache.js';
import type { MoreOrigins } from '../../../http/request/cors.js';
import { Database } from '../../../data/database/database.js';
import { Injectable } from '@nestjs/common';

const OF_KEYS = `SELECT allowed_origins AS found FROM api_keys
  WHERE allowed_origins IS NOT NULL AND (expires_at IS NULL OR expires_at > $1)`;
const OF_CLIENTS = `SELECT id, redirect_uris FROM clients WHERE token_endpoint_auth_method = 'none'`;

const ALL = 'origins';

/**
 * Origins whose pages may read responses: the `allowed_origins` of unexpired keys, and the `https` origins in redirect
 * URIs of clients without a secret. SPEC §1.2
 */
@Injectable()
export class PageOrigins {
  private readonly known = new LookUpCache<MoreOrigins>();

  constructor(private readonly database: Database) {}

  async all(): Promise<MoreOrigins> {
    return (await this.known.get(ALL, () => this.read())) ?? { open: new Set(), clients: new Map() };
  }

  forget(): void {
    this.known.clear();
  }

  private async read(): Promise<MoreOrigins> {
    const keys = await this.database.query<{ found: string }>(OF_KEYS, [Date.now()]);
    const clients = new Map<string, Set<string>>();
    for (const { id, redirect_uris: uris } of await this.database.query<ClientRow>(OF_CLIENTS)) {
      for (const origin of httpsOrigins(JSON.parse(uris) as string[])) {
        clients.set(origin, (clients.get(origin) ?? new Set()).add(id));
      }
    }
    return { open: new Set(keys.flatMap(({ found }) => JSON.parse(found) as string[])), clients };
  }
}

interface ClientRow {
  readonly id: string;
  readonly redirect_uris: string;
}

function httpsOrigins(uris: readonly string[]): string[] {
  return uris.filter((uri) => uri.startsWith('https:') && URL.canParse(uri)).map((uri) => new URL(uri).origin);
}
