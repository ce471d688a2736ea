import type { ApiKey } from '@items/contracts';
import type { CreateApiKeyDto } from '@items/dtos';
import { Inject, Injectable } from '@nestjs/common';

import { LastUses } from '../auth/api-key/last-uses.js';
import { BackgroundWork } from '../background/background-work.js';
import type { CollectionService } from '../collections/collection-service.js';
import { collectionToken } from '../collections/collections.module.js';
import { Database } from '../database/database.js';
import type { ApiKeyEntity } from './api-key.entity.js';
import { noteUse, shownSecrets } from './api-key-secrets.js';

const PERIOD_MS = 5000;
/** Secrets that one transaction notes at most: no writer waits long for it. */
const BATCH = 50;

type Uses = readonly (readonly [hash: string, usedAtMs: number])[];

/** Writes down when keys were last used: every few seconds, in batches, never while a request waits. decisions on §5 */
@Injectable()
export class LastUseWriter extends BackgroundWork {
  constructor(
    private readonly uses: LastUses,
    private readonly database: Database,
    @Inject(collectionToken('api_keys'))
    private readonly keys: CollectionService<ApiKeyEntity, ApiKey, CreateApiKeyDto>,
  ) {
    super(PERIOD_MS, 'The last uses of keys are written later');
  }

  /** What is not written yet is written before the database is closed. */
  override async beforeApplicationShutdown(): Promise<void> {
    await super.beforeApplicationShutdown();
    await this.runNow();
  }

  protected override async work(): Promise<void> {
    // In one order on all instances, so that they do not wait for each other in a circle.
    const uses = [...this.uses.take()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let start = 0; start < uses.length; start += BATCH) {
      try {
        await this.write(uses.slice(start, start + BATCH));
      } catch (error) {
        this.uses.giveBack(uses.slice(start));
        throw error;
      }
    }
  }

  private async write(uses: Uses): Promise<void> {
    await this.database.transaction(async (tx) => {
      for (const [hash, usedAtMs] of uses) {
        const keyId = await noteUse(tx, hash, usedAtMs);
        if (keyId === undefined) continue;
        await this.keys.amend(tx, keyId, { last_used_at: usedAtMs, secrets: await shownSecrets(tx, keyId) });
      }
    });
  }
}
