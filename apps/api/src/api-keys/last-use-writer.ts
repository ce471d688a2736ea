import type { ApiKey } from '@items/contracts';
import type { CreateApiKeyDto } from '@items/dtos';
import { Inject, Injectable, Logger, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';

import { LastUses } from '../auth/api-key/last-uses.js';
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
export class LastUseWriter implements OnModuleInit, BeforeApplicationShutdown {
  private readonly logger = new Logger(LastUseWriter.name);
  private timer: NodeJS.Timeout | undefined;
  private writing = Promise.resolve();

  constructor(
    private readonly uses: LastUses,
    private readonly database: Database,
    @Inject(collectionToken('api_keys'))
    private readonly keys: CollectionService<ApiKeyEntity, ApiKey, CreateApiKeyDto>,
  ) {}

  onModuleInit(): void {
    this.timer = setInterval(() => void this.flush(), PERIOD_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    clearInterval(this.timer);
    await this.flush();
  }

  /** Never rejects: what could not be written is written next time. */
  flush(): Promise<void> {
    this.writing = this.writing.then(() => this.writeAll());
    return this.writing;
  }

  private async writeAll(): Promise<void> {
    // In one order on all instances, so that they do not wait for each other in a circle.
    const uses = [...this.uses.take()].sort(([a], [b]) => (a < b ? -1 : 1));
    for (let start = 0; start < uses.length; start += BATCH) {
      try {
        await this.write(uses.slice(start, start + BATCH));
      } catch (error) {
        this.uses.giveBack(uses.slice(start));
        this.logger.warn(`The last uses of keys are written later: ${String(error)}`);
        return;
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
