import type { CollectionDefinition } from '../../data/definition/collection.js';
import { referrersOf } from '../../data/definition/references.js';
import { ConventionsModule } from '../../http/nest/conventions.module.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import { Global, Module } from '@nestjs/common';
import { GUARDS_METADATA } from '@nestjs/common/constants';
import type { QueryRunner } from 'typeorm';

import { StartRefusedError } from '../../data/definition/start-refused.js';
import { OwnersModule } from '../../access/auth/owners.module.js';
import { requireSoundNames } from '../composition/collection-names.js';
import { requireSoundKeys } from '../composition/sound-keys.js';
import { requireSoundReferences } from '../composition/sound-references.js';
import type { CollectionModule, Composition } from '../composition/composition.js';
import { ownedCollectionRoutes, type OwnedResource } from './owned-collection-routes.js';
import type { Migration } from './migration.js';
import { parentOfPath } from './parent-of-path.js';
import { type CollectionAccess, scopedCollectionRoutes } from './scoped-collection-routes.js';
import { requireNoConflicts } from './stored-conflicts.js';
import { tableMigration } from './table-migration.js';

type Made = CollectionDefinition<OwnedResource, object>;

/** Collections of `collection()`, and the migrations that have changed their tables. */
export interface DefinedCollections {
  readonly collections: readonly object[];
  readonly migrations?: readonly Migration[];
}

/**
 * Makes the modules and migrations of collections from their definitions.
 * @example const { modules, migrations } = servedCollections({ collections: [books] });
 */
export function servedCollections({
  collections,
  migrations = [],
}: DefinedCollections): Required<Pick<Composition, 'modules' | 'migrations'>> {
  const all = collections as readonly Made[];
  requireSoundNames(all);
  all.forEach(requireSoundKeys);
  requireSoundReferences(all);
  const created = new Set<string>();
  return {
    modules: all.map((collection) => moduleOf(collection, all, created)),
    migrations: migrations.map((migration) => migrationOf(migration, created)),
  };
}

/**
 * @param all the collections of the service.
 * @param created collects the tables that this start creates.
 */
function moduleOf(collection: Made, all: readonly Made[], created: Set<string>): CollectionModule {
  const { parent } = collection;
  const name = pathOf(collection);
  const target = collection.references?.find(({ isParent }) => isParent)?.target();
  const parents = target && parentOfPath(target, String(parent));
  const isOwned = parent !== undefined && target === undefined;
  const above = isOwned ? 'users' : target && pathOf(target);
  const referrers = referrersOf(collection, all);
  const access = {
    path: above === undefined ? name : `${above}/:${String(parent)}/${name}`,
    read: `${name}:read`,
    write: `${name}:write`,
    referrers,
    ...(parents && { parent: parents }),
  } as CollectionAccess;
  const routes = isOwned ? ownedCollectionRoutes(collection, access) : scopedCollectionRoutes(collection, access);
  requireGuardedEvents(collection, routes);
  const feature = ConventionsModule.forFeature(collection, referrers);
  // Global, so that the modules of a team can inject the collection: they cannot import this class.
  @Global()
  @Module({
    imports: [...(isOwned ? [OwnersModule] : []), feature],
    exports: [feature],
    providers: [routes, ...(parents === undefined ? [] : [parents])],
  })
  class OwnModule {
    static readonly collection = collection;
    static readonly migrations = [tableMigration(collection, (table) => created.add(table))];
  }
  return OwnModule;
}

/** `order_notes` becomes `order-notes`. */
function pathOf({ name }: Pick<Made, 'name'>): string {
  return name.replaceAll('_', '-');
}

/** @throws {StartRefusedError} events would show members that the guards of the routes refuse. */
function requireGuardedEvents({ name, events, eventsUnguarded }: Made, routes: object): void {
  if (events === undefined || eventsUnguarded === true || !Reflect.hasMetadata(GUARDS_METADATA, routes)) return;
  throw new StartRefusedError(
    `The collection "${name}" has guards among its decorators, and its events pass none of them: leave out events, or add eventsUnguarded: true.`,
  );
}

/**
 * Matches statements that change the table of a collection, such as `ALTER TABLE books …`. They are skipped if this start
 * has created the table, because it is empty and already has its current form.
 */
const CHANGED_TABLE = new RegExp(
  [
    '^(?:ALTER TABLE|UPDATE) "?(?<table>\\w+?)(?:_versions)?"? ',
    '^CREATE (?:UNIQUE )?INDEX \\S+ ON "?(?<indexed>\\w+?)(?:_versions)?"? ',
    '^DROP INDEX (?:IF EXISTS )?"?(?<former>\\w+?)(?:(?:_versions)?_by_|-unique-)',
    "^(?:DELETE FROM|INSERT INTO) collection_counts [^']*'(?<counted>\\w+)'",
  ].join('|'),
);

function changedTableOf(statement: string): string | undefined {
  const groups: Readonly<Record<string, string | undefined>> = CHANGED_TABLE.exec(statement)?.groups ?? {};
  return Object.values(groups).find((table) => table !== undefined);
}

function migrationOf(
  { name, ...statements }: Migration,
  created: ReadonlySet<string>,
): DatabaseSchema['migrations'][number] {
  const named = `${name}_1900000000000`;
  const migration = class {
    readonly name = named;

    async up(runner: QueryRunner): Promise<void> {
      const dialect = runner.dataSource.options.type === 'postgres' ? 'postgres' : 'sqlite';
      for (const statement of statements[dialect]) {
        if (created.has(changedTableOf(statement) ?? '')) continue;
        await requireNoConflicts((sql) => runner.query(sql), statement);
        await runner.query(statement);
      }
    }

    async down(): Promise<void> {
      // Empty: migrations of a team have no way back.
    }
  };
  Object.defineProperty(migration, 'name', { value: named });
  return migration;
}
