import { ReadThroughCache } from '@items/caching';
import { Database } from '@items/store';
import { Injectable } from '@nestjs/common';

const READ = `SELECT allowed_origins FROM api_keys
  WHERE allowed_origins IS NOT NULL AND (expires_at IS NULL OR expires_at > $1)`;

/** There is but one thing to look up. */
const ALL = 'origins';

/** The origins that stand in the `allowed_origins` of any key: their pages may read answers. SPEC §1.2 */
@Injectable()
export class KeyOrigins {
  private readonly known = new ReadThroughCache<ReadonlySet<string>>(() => this.read());

  constructor(private readonly database: Database) {}

  /** @throws {ServiceUnavailableError} */
  async all(): Promise<ReadonlySet<string>> {
    return (await this.known.get(ALL)) ?? new Set();
  }

  /** A key was changed. */
  forget(): void {
    this.known.clear();
  }

  private async read(): Promise<ReadonlySet<string>> {
    const rows = await this.database.query<{ allowed_origins: string }>(READ, [Date.now()]);
    return new Set(rows.flatMap((row) => JSON.parse(row.allowed_origins) as string[]));
  }
}
