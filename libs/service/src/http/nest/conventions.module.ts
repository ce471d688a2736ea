import { BackgroundPruning } from '../../data/writes/background-pruning.js';
import type { BackgroundWork } from '../../data/background/background-work.js';
import { ClockWatch } from '../../data/writes/clock-watch.js';
import { CollectionService } from '../../data/collections/collection-service.js';
import { cursorSeals, type CursorPolicy } from '../../data/lists/cursors.js';
import { requireColumns } from '../../data/definition/require-columns.js';
import type { CollectionDefinition, HasId } from '../../data/definition/collection.js';
import type { Referrer } from '../../data/definition/references.js';
import { AuditEvents } from '../../feed/audit/audit-events.js';
import { AuditPurge } from '../../feed/audit/audit-purge.js';
import { EventPurge } from '../../feed/event-purge.js';
import { Events, type EventsOptions } from '../../feed/events.js';
import { Database } from '../../data/database/database.js';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { OldRecords } from '../../data/idempotency/old-records.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { openStandbyReads } from '../../data/standbys/open-standby-reads.js';
import { StandbyReads } from '../../data/standbys/standby-reads.js';
import { whenMigrated, whenReachable } from '../../data/opening/wait-for-database.js';
import {
  Inject,
  Logger,
  Module,
  type DynamicModule,
  type OnApplicationShutdown,
  type OnModuleInit,
  type Provider,
  type Type,
} from '@nestjs/common';

import { collectionToken } from './collection-token.js';
import { ConfigurableConventionsModule, CONVENTIONS_OPTIONS, type ConventionsOptions } from './conventions-options.js';
import { inBackground } from './in-background.js';
import { nestLog } from './nest-log.js';

const CURSOR_POLICY = Symbol('CURSOR_POLICY');
/** One hour. SPEC §4 Cursor rules */
const DEFAULT_CURSOR_TTL_MS = 3_600_000;
const NO_EVENTS: EventsOptions = { apiVersion: '', keptMs: Infinity, off: true };

const shared: readonly Provider[] = [
  {
    provide: Database,
    inject: [CONVENTIONS_OPTIONS],
    useFactory: async (options: ConventionsOptions) => {
      const { database, migrations, log = nestLog(Database.name), slowMs, observer, onOpened } = options;
      const open = (): Promise<Database> => openDatabase(database, { migrations }, log, { slowMs, observer });
      const opened = await whenReachable(() => whenMigrated(open, log), log);
      onOpened?.(opened);
      return opened;
    },
  },
  {
    provide: StandbyReads,
    inject: [Database, CONVENTIONS_OPTIONS],
    useFactory: (
      database: Database,
      { standbys, log = nestLog(Database.name), slowMs, observer }: ConventionsOptions,
    ): StandbyReads | null => (standbys ? openStandbyReads(database, standbys, log, { slowMs, observer }) : null),
  },
  { provide: Idempotency, inject: [Database], useFactory: (database: Database) => new Idempotency(database) },
  {
    provide: CURSOR_POLICY,
    inject: [Database, CONVENTIONS_OPTIONS],
    useFactory: async (
      database: Database,
      { cursorTtlMs = DEFAULT_CURSOR_TTL_MS, cursorSecrets = [] }: ConventionsOptions,
    ): Promise<CursorPolicy> => ({ seals: await cursorSeals(database, cursorSecrets), ttlMs: cursorTtlMs }),
  },
  {
    provide: Events,
    inject: [Database, CURSOR_POLICY, CONVENTIONS_OPTIONS],
    useFactory: (database: Database, policy: CursorPolicy, { events = NO_EVENTS }: ConventionsOptions) =>
      new Events(database, policy, events),
  },
  { provide: AuditEvents, inject: [Events], useFactory: ({ audit }: Events) => audit ?? null },
];

function runs<Work extends BackgroundWork>(
  type: Type<Work>,
  create: (database: Database, log: Logger, events: EventsOptions, policy: CursorPolicy) => Work,
): Provider[] {
  const provider: Provider = {
    provide: type,
    inject: [Database, CONVENTIONS_OPTIONS, CURSOR_POLICY],
    useFactory: (database: Database, { events = NO_EVENTS }: ConventionsOptions, policy: CursorPolicy) =>
      create(database, new Logger(type.name), events, policy),
  };
  return [provider, inBackground(type)];
}

const background: readonly Provider[] = [
  runs(
    BackgroundPruning,
    (database, log, _, { ttlMs }) => new BackgroundPruning(database, log, { cursorTtlMs: ttlMs }),
  ),
  runs(ClockWatch, (database, log) => new ClockWatch(database, log)),
  runs(OldRecords, (database, log) => new OldRecords(database, log)),
  runs(EventPurge, (database, log, { keptMs, partitionMs }) => new EventPurge(database, log, keptMs, partitionMs)),
  runs(AuditPurge, (database, log, { auditKeptMs = Infinity }) => new AuditPurge(database, log, auditKeptMs)),
].flat();

/**
 * Shared parts of all collections. The database is opened and migrated before anything else starts, and closed after
 * everything else.
 * @example
 * imports: [ConventionsModule.forRoot({ database, migrations: [CreateBooks] }), ConventionsModule.forFeature(books)]
 */
@Module({
  providers: [...shared, ...background],
  exports: [Database, StandbyReads, Idempotency, CURSOR_POLICY, BackgroundPruning, ClockWatch, Events, AuditEvents],
})
export class ConventionsModule extends ConfigurableConventionsModule implements OnModuleInit, OnApplicationShutdown {
  constructor(
    private readonly database: Database,
    private readonly events: Events,
    private readonly purge: EventPurge,
    @Inject(StandbyReads) private readonly standbys: StandbyReads | null,
  ) {
    super();
  }

  /**
   * Provides the service of a collection, to be injected with `InjectCollection`.
   * @throws {MissingColumnError} at start: a field has no column because its migration is missing.
   */
  static forFeature<Resource extends HasId, Input, Hidden>(
    definition: CollectionDefinition<Resource, Input, Hidden>,
    referrers: readonly Referrer[] = [],
  ): DynamicModule {
    const collection: Provider = {
      provide: collectionToken(definition),
      inject: [Database, Idempotency, CURSOR_POLICY, Events, StandbyReads],
      useFactory: async (
        database: Database,
        idempotency: Idempotency,
        policy: CursorPolicy,
        events: Events,
        standbys: StandbyReads | null,
      ) => {
        await (definition.requireTable?.(database) ?? requireColumns(database, definition));
        const recorder = events.recorderOf(definition);
        const reads = standbys ?? undefined;
        return new CollectionService(database, idempotency, policy, definition, recorder, reads, referrers);
      },
    };
    const filling: Provider = {
      provide: Symbol(`computed fields of ${definition.name}`),
      inject: [collectionToken(definition)],
      // `onApplicationBootstrap` runs after events have started, before the service listens.
      useFactory: (members: CollectionService<Resource, Input, Hidden>) => ({
        onApplicationBootstrap: () => members.fillComputed(),
      }),
    };
    const providers = definition.computed === undefined ? [collection] : [collection, filling];
    return { module: CollectionFeature, providers, exports: [collection] };
  }

  /** At this point all collections are registered, and nothing has been written. */
  async onModuleInit(): Promise<void> {
    await this.purge.prepare();
    await this.events.begin();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.standbys?.close();
    await this.database.close();
  }
}

@Module({})
class CollectionFeature {}
