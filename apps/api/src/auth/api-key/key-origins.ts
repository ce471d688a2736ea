import { Injectable } from '@nestjs/common';

import { KNOWN_FOR_MS } from '../../caching/known-for.js';
import { Database } from '../../database/database.js';

const READ = `SELECT allowed_origins FROM api_keys
  WHERE allowed_origins IS NOT NULL AND (expires_at IS NULL OR expires_at > $1)`;

/** The origins that stand in the `allowed_origins` of any key: their pages may read answers. decisions §1 */
@Injectable()
export class KeyOrigins {
  private known: { readonly origins: Promise<ReadonlySet<string>>; readonly staleAtMs: number } | undefined;

  constructor(private readonly database: Database) {}

  /** @throws {ServiceUnavailableError} */
  all(): Promise<ReadonlySet<string>> {
    const nowMs = Date.now();
    if (this.known === undefined || this.known.staleAtMs <= nowMs) {
      const origins = this.read(nowMs);
      origins.catch(() => (this.known = undefined));
      this.known = { origins, staleAtMs: nowMs + KNOWN_FOR_MS };
    }
    return this.known.origins;
  }

  /** A key was changed. */
  forget(): void {
    this.known = undefined;
  }

  private async read(nowMs: number): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ allowed_origins: string }>(READ, [nowMs]);
    return new Set(rows.flatMap((row) => JSON.parse(row.allowed_origins) as string[]));
  }
}
