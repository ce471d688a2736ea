import type { ModuleMetadata, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import type { AccessEntries } from '../../access/auth/access-table.js';
import type { OwnStrategy } from '../../access/auth/strategies/own-strategy.js';
import { Permissions } from '../../access/principal/permissions.js';
import type { ImportRules } from '../../admin/import-export/transferable.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { CountedCollection } from '../../data/writes/recount.js';
import type { DescribedEvents } from '../../document/description/event-webhooks.js';
import type { QuickStartStep } from '../../document/docs/markup.js';

export type ComposedCollection = CountedCollection &
  DescribedEvents['collection'] &
  Pick<CollectionDefinition<never, object>, 'events' | 'audit'>;

/** Parts of a collection that its definition does not determine. */
export interface CollectionParts {
  /**
   * Migrations that create the tables. Set them for tables that existed before `collection()` defined the collection.
   * Default: one migration, made from the definition.
   */
  readonly migrations?: DatabaseSchema['migrations'];
  /** Further collections whose tables `migrations` create. Only controllers of the app use them. */
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
  /** Example changes by event type, if the default does not fit. */
  readonly changes: Readonly<Record<string, { readonly after: object; readonly before: object }>>;
}

/** Authentication strategies in addition to those of `AUTH_METHODS`. */
interface AuthSettings {
  readonly strategies?: readonly OwnStrategy[];
}

export interface Composition extends Pick<ServiceOptions, 'roles' | 'access' | 'auth' | 'info'> {
  /** Name in metrics, cookies, traces and database connections. Default: `items`. */
  readonly name?: string;
  readonly modules: readonly CollectionModule[];
  readonly further?: NonNullable<ModuleMetadata['imports']>;
  readonly migrations?: DatabaseSchema['migrations'];
  readonly events: EventTexts;
  /** Steps for a new user, from an empty service to a first list. */
  readonly quickStart: (baseUrl: string) => readonly QuickStartStep[];
}

/** Scopes are named after collections, with `-` for `_`. */
export function permissionsOf({ modules, roles }: Pick<Composition, 'modules' | 'roles'>): Permissions {
  return new Permissions(
    modules.map(({ collection }) => collection.name.replaceAll('_', '-')),
    roles,
  );
}

/** Statements that run once, in order, under the migration lock. */
export interface Migration {
  readonly name: string;
  /**
   * Collection whose table these statements change. A new database creates the table in its present form and skips the
   * statements, so write statements for anything else into another migration.
   */
  readonly collection?: string;
  /** Fields whose stored values these statements convert to a new type. The next start accepts the new types. */
  readonly converts?: readonly string[];
  readonly sqlite: readonly string[];
  readonly postgres: readonly string[];
}

export type NamedCollection = Pick<CollectionDefinition<never, never>, 'name'>;

export interface ServiceOptions {
  readonly collections?: readonly NamedCollection[];
  /** Scopes of roles other than `viewer`, `member` and `admin`: `{ clerk: ['books:read'] }`. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly migrations?: readonly Migration[];
  readonly modules?: NonNullable<ModuleMetadata['imports']>;
  readonly auth?: AuthSettings;
  /** Values that override environment variables; `''` unsets a variable. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Access rules of routes that Fastify plugins or `SwaggerModule.setup()` add.
   * @example
   * access: { 'GET /swagger*': 'public', 'GET /reports': { scope: 'books:read' } }
   */
  readonly access?: AccessEntries;
  /** Examples of events, and first steps, in the OpenAPI document. */
  readonly document?: Partial<Pick<Composition, 'events' | 'quickStart'>>;
  readonly info?: { readonly title?: string; readonly version?: string };
  /**
   * Called once with the Nest application, after its modules are created and before it listens: for Fastify plugins, a
   * WebSocket adapter, and global enhancers.
   * @example
   * configure: async (app) => { await app.register(multipart); }
   */
  readonly configure?: (app: NestFastifyApplication) => unknown;
  /** Whether SIGTERM and SIGINT stop the service. Default: true. */
  readonly signals?: boolean;
}

/** Options of a service with a hand-written composition. */
export interface ComposedOptions extends Pick<ServiceOptions, 'configure' | 'settings' | 'signals'> {
  readonly composition: Composition;
}

export interface RunningService {
  readonly url: string;
  /**
   * Value of `ADMIN_API_KEY`. Without it, the key that the first start generated. Then undefined on later starts,
   * because only the hash of the key is stored.
   */
  readonly adminKey: string | undefined;
  readonly app: NestFastifyApplication;
  /** Repeated calls return the same promise. */
  stop(): Promise<void>;
}
