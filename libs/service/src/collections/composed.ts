import type { CollectionDefinition } from '@items/collections';
import { ConventionsModule } from '@items/nest';
import type { DatabaseSchema } from '@items/store';
import { Global, Module } from '@nestjs/common';
import type { QueryRunner } from 'typeorm';

import { OwnersModule } from '../auth/owners.module.js';
import type { CollectionModule, Composition } from '../composition/composition.js';
import { ownedCollectionRoutes, type OwnedResource } from './owned-collection-routes.js';
import type { Migration } from './migration.js';
import { type CollectionAccess, scopedCollectionRoutes } from './scoped-collection-routes.js';
import { tableMigration } from './table-migration.js';

type Made = CollectionDefinition<OwnedResource, object>;

interface Parts {
  readonly collections: readonly object[];
  readonly migrations?: readonly Migration[];
  readonly modules?: NonNullable<Composition['further']>;
  readonly roles?: Composition['roles'];
  readonly info?: { readonly title?: string; readonly version?: string };
}

/** A composition of collections that `collection()` has made. */
export function composed({ collections, migrations = [], modules = [], roles, info }: Parts): Composition {
  const own = collections as readonly Made[];
  const created = new Set<string>();
  const [first] = own;
  const type = `${first?.singular.replaceAll(' ', '_') ?? 'user'}.updated`;
  const id = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
  return {
    modules: own.map((collection) => moduleOf(collection, created)),
    further: modules,
    migrations: migrations.map((migration) => migrationOf(migration, created)),
    ...(roles !== undefined && { roles }),
    ...(info !== undefined && { info }),
    events: {
      example: {
        id: '019a9f59-d380-7000-9a17-3c5e2b7d8f40',
        type,
        timestamp: '2026-11-20T10:00:00.000Z',
        data: { object: { id }, previous: { updated_at: '2026-11-20T09:30:00.000Z' } },
      },
      changes: {},
    },
    quickStart: (baseUrl) => [
      { says: 'Put a key where the next commands find it:', command: "export ADMIN_API_KEY='itk_…'" },
      {
        says: `List ${first?.name ?? 'users'}:`,
        command: `curl '${baseUrl}/${first?.parent === undefined ? (first?.name ?? 'users') : 'users'}' -H "X-API-Key: $ADMIN_API_KEY"`,
      },
    ],
  };
}

/** @param created the tables that this start makes. */
function moduleOf(collection: Made, created: Set<string>): CollectionModule {
  const name = collection.name.replaceAll('_', '-');
  const isOwned = collection.parent !== undefined;
  const access = {
    path: isOwned ? `users/:user_id/${name}` : name,
    read: `${name}:read`,
    write: `${name}:write`,
  } as CollectionAccess;
  const feature = ConventionsModule.forFeature(collection);
  // A team's own modules inject the collection without importing what they cannot name.
  @Global()
  @Module({
    imports: [...(isOwned ? [OwnersModule] : []), feature],
    exports: [feature],
    providers: [isOwned ? ownedCollectionRoutes(collection, access) : scopedCollectionRoutes(collection, access)],
  })
  class OwnModule {
    static readonly collection = collection;
    static readonly migrations = [tableMigration(collection, (table) => created.add(table))];
  }
  return OwnModule;
}

/**
 * What a migration changes in the table of a collection, such as `ALTER TABLE books …`. A new database needs none of it: there the
 * table has just been made from its definition, as it is now, and is empty.
 */
const CHANGED_TABLE = new RegExp(
  [
    '^(?:ALTER TABLE|UPDATE) (?<table>\\w+?)(?:_versions)? ',
    '^CREATE INDEX \\w+ ON (?<indexed>\\w+?)(?:_versions)? ',
    '^DROP INDEX (?:IF EXISTS )?(?<former>\\w+?)(?:_versions)?_by_',
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
        if (!created.has(changedTableOf(statement) ?? '')) await runner.query(statement);
      }
    }

    async down(): Promise<void> {
      // Written by a team, which says only the way forward.
    }
  };
  Object.defineProperty(migration, 'name', { value: named });
  return migration;
}
