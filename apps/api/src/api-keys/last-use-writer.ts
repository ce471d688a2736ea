import { formatTime } from '@items/collections';
import { InjectCollection, type CollectionOf } from '@items/nest';
import { BackgroundWork } from '@items/store';
import { Injectable, Logger } from '@nestjs/common';

import { LastUses } from '../auth/api-key/last-uses.js';
import { noteUse, shownSecrets } from './api-key-secrets.js';
import { apiKeyCollection } from './api-key.collection.js';

const PERIOD_MS = 5000;
/** Secrets that one transaction notes at most: no writer waits long for it. */
const BATCH = 50;

type Uses = readonly (readonly [hash: string, usedAtMs: number])[];

/** Writes down when keys were last used: every few seconds, in batches, never while a request waits. SPEC §5.3 */
@Injectable()
export class LastUseWriter extends BackgroundWork {
  constructor(
    private readonly uses: LastUses,
    @InjectCollection(apiKeyCollection)
    private readonly keys: CollectionOf<typeof apiKeyCollection>,
  ) {
    super(new Logger(LastUseWriter.name), PERIOD_MS, 'The last uses of keys are written later');
  }

  /** What is not written yet is written before the database is closed. */
  override async stop(): Promise<void> {
    await super.stop();
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
    await this.keys.transaction(async (tx) => {
      for (const [hash, usedAtMs] of uses) {
        const keyId = await noteUse(tx, hash, usedAtMs);
        if (keyId === undefined) continue;
        await this.keys.updateKeepingTime(tx, keyId, {
          last_used_at: formatTime(usedAtMs),
          secrets: await shownSecrets(tx, keyId),
        });
      }
    });
  }
}
