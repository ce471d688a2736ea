import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { CountedCollection } from '../../data/writes/recount.js';
import type { DescribedEvents } from '../../document/description/event-webhooks.js';
import type { AccessEntries } from '../../access/auth/access-table.js';
import type { OwnStrategy } from '../../access/auth/strategies/own-strategy.js';
import type { QuickStartStep } from '../../document/docs/quick-start.js';
import type { Transferable } from '../../admin/transfer/transferable.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { ModuleMetadata, Type } from '@nestjs/common';

/** As much of a collection as says who may read its events, how it is audited, and what is counted. */
export type ComposedCollection = CountedCollection &
  DescribedEvents['collection'] &
  Pick<CollectionDefinition<never, object>, 'events' | 'audit'>;

/** A module that serves a collection, and brings its tables. */
export interface CollectionModule extends Type {
  readonly collection: ComposedCollection;
  readonly migrations: DatabaseSchema['migrations'];
  /** Collections whose tables come with it, and which are reached only through it. */
  readonly others?: readonly CountedCollection[];
  /** How it is exported and imported, where its definition does not say it all. */
  readonly transfer?: Transferable;
}

/** What a service says of its events in the document. */
export interface EventTexts {
  /** An event in full, as the feed shows it. */
  readonly example: {
    readonly id: string;
    readonly type: string;
    readonly timestamp: string;
    readonly data: { readonly object: object; readonly previous: object };
  };
  /** What changes with events that are no plain change, by their type. */
  readonly changes: Readonly<Record<string, { readonly after: object; readonly before: object }>>;
}

/** Own ways to authenticate, in addition to those of `AUTH_METHODS`. */
export interface AuthSettings {
  readonly strategies?: readonly OwnStrategy[];
}

/** What a service is made of beside what every service has. */
export interface Composition {
  /** Name in metrics, cookies, traces and connections of the database; default `items`. */
  readonly name?: string;
  readonly modules: readonly CollectionModule[];
  /** Modules without a collection. */
  readonly further?: NonNullable<ModuleMetadata['imports']>;
  /** Beside those of the modules. */
  readonly migrations?: DatabaseSchema['migrations'];
  /** Roles beside `viewer`, `member` and `admin`, with their scopes. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  /** Access rules of routes that plugins add. */
  readonly access?: AccessEntries;
  /** Own ways to authenticate. */
  readonly auth?: AuthSettings;
  /** Of the document. */
  readonly info?: { readonly title?: string; readonly version?: string };
  readonly events: EventTexts;
  /** From nothing to a list. */
  readonly quickStart: (baseUrl: string) => readonly QuickStartStep[];
}
