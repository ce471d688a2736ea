import { formatTime } from '../../../data/definition/column-codecs.js';
import { LastUseFlush, type Uses } from '../../credentials/secrets/last-uses.js';
import { Database } from '../../../data/database/database.js';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Injectable } from '@nestjs/common';
import { sessionCollection } from '../authorizations/session.collection.js';

/** Period that lets other instances see a use within 5 s. SPEC §5.4 */
const PERIOD_MS = 2000;

const USE = 'UPDATE oauth_artifacts SET consumed_at = $2 WHERE hash = $1 AND consumed_at IS NULL';

/** Records the first use of an access token that a refresh issued. After this use, the refresh cannot be repeated. */
@Injectable()
export class AccessTokenUseWriter extends LastUseFlush {
  constructor(private readonly database: Database) {
    super(AccessTokenUseWriter.name, 'access tokens', undefined, PERIOD_MS);
  }

  protected override async write(uses: Uses): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [hash, usedAtMs] of uses) await tx.query(USE, [hash, usedAtMs]);
    });
  }
}

@Injectable()
export class SessionUseWriter extends LastUseFlush {
  constructor(@InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>) {
    super(SessionUseWriter.name, 'sessions');
  }

  protected override async write(uses: Uses): Promise<void> {
    await this.sessions.transaction(async (tx) => {
      for (const [id, usedAtMs] of uses) {
        await this.sessions.updateKeepingTime(tx, id, { last_used_at: formatTime(usedAtMs) });
      }
    });
  }
}
