import { formatTime } from '../../data/definition/column-codecs.js';
import { LastUseFlush, LastUses, type Uses } from '../credentials/secrets/last-uses.js';
import { type CollectionOf, InjectCollection } from '../../http/nest/collection-token.js';
import type { Queryable } from '../../data/database/database.js';
import { Injectable } from '@nestjs/common';
import { apiKeyCollection, apiKeySecrets } from './api-key.collection.js';

const NOTE_USE = `UPDATE api_key_secrets SET last_used_at = $2
  WHERE hash = $1 AND (last_used_at IS NULL OR last_used_at < $2) RETURNING api_key_id`;

@Injectable()
export class LastUseWriter extends LastUseFlush {
  constructor(
    uses: LastUses,
    @InjectCollection(apiKeyCollection)
    private readonly keys: CollectionOf<typeof apiKeyCollection>,
  ) {
    super(LastUseWriter.name, 'keys', uses);
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

/** @returns Id of the API key. Undefined if the secret was deleted or a later use is stored. */
async function noteUse(tx: Queryable, hash: string, usedAtMs: number): Promise<string | undefined> {
  const [secret] = await tx.query<{ api_key_id: string }>(NOTE_USE, [hash, usedAtMs]);
  return secret?.api_key_id;
}
