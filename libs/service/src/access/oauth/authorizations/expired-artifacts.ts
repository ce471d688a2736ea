import { BackgroundWork } from '../../../data/background/background-work.js';
import { BATCH, inBatches } from '../../../data/background/in-batches.js';
import { Database } from '../../../data/database/database.js';
import { Injectable, Logger } from '@nestjs/common';
import { Authorizations } from './authorizations.js';

const PERIOD_MS = 10 * 60 * 1000;
/** Expired codes and tokens stay stored, so that a second use is detected. */
const RETENTION_MS = 24 * 60 * 60 * 1000;

const EXPIRED_ARTIFACTS = `DELETE FROM oauth_artifacts WHERE hash IN
  (SELECT hash FROM oauth_artifacts WHERE expires_at < $1 ORDER BY expires_at LIMIT ${String(BATCH)}) RETURNING hash`;
const EXPIRED_AUTHORIZATIONS = `SELECT id FROM oauth_authorizations WHERE expires_at < $1
  ORDER BY expires_at LIMIT ${String(BATCH)}`;

@Injectable()
export class ExpiredArtifacts extends BackgroundWork {
  constructor(
    private readonly database: Database,
    private readonly authorizations: Authorizations,
  ) {
    super(new Logger(ExpiredArtifacts.name), PERIOD_MS, 'Could not delete expired tokens; retrying in 10 min');
  }

  async forget(stop?: AbortSignal, nowMs = Date.now()): Promise<void> {
    const before = nowMs - RETENTION_MS;
    await inBatches(() => this.forgetArtifacts(before), stop);
    await inBatches(() => this.forgetAuthorizations(before, stop), stop);
  }

  protected override work(stop: AbortSignal): Promise<void> {
    return this.forget(stop);
  }

  private async forgetArtifacts(before: number): Promise<number> {
    const rows = await this.database.transaction((tx) => tx.query(EXPIRED_ARTIFACTS, [before]));
    return rows.length;
  }

  /** Clears no cache, because the tokens of these authorizations expired long before. */
  private async forgetAuthorizations(before: number, stop: AbortSignal | undefined): Promise<number> {
    const rows = await this.database.query<{ id: string }>(EXPIRED_AUTHORIZATIONS, [before]);
    for (const { id } of rows) {
      if (stop?.aborted === true) break;
      await this.database.transaction((tx) => this.authorizations.endInTransaction(tx, 'id', id));
    }
    return rows.length;
  }
}
