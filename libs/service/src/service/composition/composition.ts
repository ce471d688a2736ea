import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { CountedCollection } from '../../data/writes/recount.js';
import type { DescribedEvents } from '../../document/description/event-webhooks.js';
import type { AccessEntries } from '../../access/auth/access-table.js';
import { Permissions } from '../../access/principal/permissions.js';
import type { OwnStrategy } from '../../access/auth/strategies/own-strategy.js';
import type { QuickStartStep } from '../../document/docs/markup.js';
import type { ImportRules } from '../../admin/transfer/transferable.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { ModuleMetadata, Type } from '@nestjs/common';

export type ComposedCollection = CountedCollection &
  DescribedEvents['collection'] &
  Pick<CollectionDefinition<never, object>, 'events' | 'audit'>;

/** Parts of a collection that its definition does not determine. */
export interface CollectionParts {
  /** Migrations that create its tables, if these are older than the definition. Default: made from the definition. */
  readonly migrations?: DatabaseSchema['migrations'];
  /** Collections whose tables these migrations create, too. Only own controllers read and write them. */
  readonly others?: readonly CountedCollection[];
  readonly importRules?: ImportRules | undefined;
}

export interface CollectionModule extends Type, Omit<CollectionParts, 'migrations'> {
  readonly collection: ComposedCollection;
  readonly migrations: DatabaseSchema['migrations'];
}

/** Examples of events for the OpenAPI document. */
export interface EventTexts {
  /** A complete event, as the feed shows it. */
  readonly example: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly object: object; readonly previous: object };
  };
  /** By event type, for events other than plain changes. */
  readonly changes: Readonly<Record<string, { readonly after: object; readonly before: object }>>;
}

/** Authentication strategies in addition to those of `AUTH_METHODS`. */
export interface AuthSettings {
  readonly strategies?: readonly OwnStrategy[];
}

export interface Composition {
  /** Name in metrics, cookies, traces and database connections. Default: `items`. */
  readonly name?: string;
  readonly modules: readonly CollectionModule[];
  readonly further?: NonNullable<ModuleMetadata['imports']>;
  readonly migrations?: DatabaseSchema['migrations'];
  /** Scopes of roles other than `viewer`, `member` and `admin`. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly access?: AccessEntries;
  readonly auth?: AuthSettings;
  readonly info?: { readonly title?: string; readonly version?: string };
  readonly events: EventTexts;
  /** Steps for a new user, from an empty service to a first list. */
  readonly quickStart: (baseUrl: string) => readonly QuickStartStep[];
}

/** Each collection has scopes with its name. */
export function permissionsOf({ modules, roles }: Pick<Composition, 'modules' | 'roles'>): Permissions {
  return new Permissions(
    modules.map(({ collection }) => collection.name.replaceAll('_', '-')),
    roles,
  );
}
