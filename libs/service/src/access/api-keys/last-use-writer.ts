import { formatTime } from '../../data/definition/column-codecs.js';
import { LastUseFlush, type Uses } from '../credentials/secrets/last-use-flush.js';
import { LastUses } from '../credentials/secrets/last-uses.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import { Injectable } from '@nestjs/common';

import { apiKeySecrets, noteUse } from './api-key-secrets.js';
import { apiKeyCollection } from './api-key.collection.js';

@Injectable()
export class LastUseWriter extends LastUseFlush {
  constructor(
    uses: LastUses,
    @InjectCollection(apiKeyCollection)
    private readonly keys: CollectionOf<typeof apiKeyCollection>,
  ) {
    super(uses, LastUseWriter.name, 'keys');
  }

  protected override async write(uses: Uses): Promise<void> {
    await this.keys.transaction(async (tx) => {
      for (const [hash, usedAtMs] of uses) {
        const keyId = await noteUse(tx, hash, usedAtMs);
        if (keyId === undefined) continue;
        await this.keys.updateKeepingTime(tx, keyId, {
          last_used_at: formatTime(usedAtMs),
          secrets: await apiKeySecrets.shown(tx, keyId),
        });
      }
    });
  }
}
