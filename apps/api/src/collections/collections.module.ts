import { type DynamicModule, Global, Module, type Provider } from '@nestjs/common';

import { CONFIG, type Config } from '../config/config.js';
import type { VersionedRow } from '../database/versioned-row.js';
import { Database } from '../database/database.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { OldRecords } from '../idempotency/old-records.js';
import { BackgroundPruning } from './background-pruning.js';
import type { CollectionDefinition, Identified } from './collection.js';
import type { CursorPolicy } from './collection-reader.js';
import { CollectionService } from './collection-service.js';
import { cursorMacs } from './cursor-secrets.js';

const CURSOR_POLICY = Symbol('CURSOR_POLICY');

/** Token under which the {@link CollectionService} of a collection is injected. */
export function collectionToken(name: string): string {
  return `collection:${name}`;
}

/** What collections share. `CollectionsModule.of(definition)` gives a feature the service of its collection. */
@Global()
@Module({
  providers: [
    BackgroundPruning,
    OldRecords,
    { provide: Idempotency, inject: [Database], useFactory: (database: Database) => new Idempotency(database) },
    {
      provide: CURSOR_POLICY,
      inject: [Database, CONFIG],
      useFactory: async (database: Database, config: Config): Promise<CursorPolicy> => ({
        macs: await cursorMacs(database, config.cursorSecrets),
        ttlMs: config.cursorTtlMs,
      }),
    },
  ],
  exports: [Idempotency, CURSOR_POLICY],
})
export class CollectionsModule {
  static of<Row extends VersionedRow, Resource extends Identified, Input>(
    definition: CollectionDefinition<Row, Resource, Input>,
  ): DynamicModule {
    const collection: Provider = {
      provide: collectionToken(definition.name),
      inject: [Database, Idempotency, CURSOR_POLICY],
      useFactory: (database: Database, idempotency: Idempotency, policy: CursorPolicy) =>
        new CollectionService(database, idempotency, policy, definition),
    };
    return { module: CollectionFeature, providers: [collection], exports: [collection] };
  }
}

@Module({})
class CollectionFeature {}
