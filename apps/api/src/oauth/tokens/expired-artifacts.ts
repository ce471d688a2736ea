import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { Database } from '../../database/database.js';
import { Authorizations } from './authorizations.js';

const PERIOD_MS = 10 * 60 * 1000;
/** A used code or token is kept for a while, so that a second use is told from an unknown value. */
const KEPT_MS = 24 * 60 * 60 * 1000;
/** Rows that one transaction deletes at most: no writer waits long for it. */
const BATCH = 200;

const EXPIRED_ARTIFACTS = `DELETE FROM oauth_artifacts WHERE hash IN
  (SELECT hash FROM oauth_artifacts WHERE expires_at < $1 ORDER BY expires_at LIMIT ${String(BATCH)}) RETURNING hash`;
const EXPIRED_AUTHORIZATIONS = `SELECT id FROM oauth_authorizations WHERE expires_at < $1
  ORDER BY expires_at LIMIT ${String(BATCH)}`;

/** Forgets what nobody can use any more, in the background and in small steps. */
@Injectable()
export class ExpiredArtifacts implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(ExpiredArtifacts.name);
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly authorizations: Authorizations,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => {
      this.forget().catch((error: unknown) => {
        this.logger.warn(`Expired tokens are forgotten later: ${String(error)}`);
      });
    }, PERIOD_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  async forget(nowMs = Date.now()): Promise<void> {
    for (let deleted = BATCH; deleted === BATCH;) {
      const rows = await this.database.transaction((tx) => tx.query(EXPIRED_ARTIFACTS, [nowMs - KEPT_MS]));
      deleted = rows.length;
    }
    const ended = await this.database.query<{ id: string }>(EXPIRED_AUTHORIZATIONS, [nowMs - KEPT_MS]);
    for (const { id } of ended) await this.authorizations.end('id', id);
  }
}
