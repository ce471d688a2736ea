import { formatTime } from '../../../data/definition/column-codecs.js';
import { LastUseFlush, type Uses } from '../../credentials/secrets/last-use-flush.js';
import { SessionUses } from '../../credentials/tokens/session-uses.js';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Injectable } from '@nestjs/common';

import { sessionCollection } from '../authorizations/session.collection.js';

@Injectable()
export class SessionUseWriter extends LastUseFlush {
  constructor(
    uses: SessionUses,
    @InjectCollection(sessionCollection) private readonly sessions: CollectionOf<typeof sessionCollection>,
  ) {
    super(uses, SessionUseWriter.name, 'sessions');
  }

  protected override async write(uses: Uses): Promise<void> {
    await this.sessions.transaction(async (tx) => {
      for (const [id, usedAtMs] of uses) {
        await this.sessions.updateKeepingTime(tx, id, { last_used_at: formatTime(usedAtMs) });
      }
    });
  }
}
