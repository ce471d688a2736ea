import type { AccessEntries } from '../../access/auth/access-table.js';
import type { CollectionDefinition } from '../../data/definition/collection.js';
import type { ModuleMetadata } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import type { AuthSettings, Composition } from '../composition/composition.js';
import type { Migration } from '../composed-collections/migration.js';

/** What a service is made of. */
export interface ServiceOptions {
  /** Those that `collection()` has made. */
  readonly collections?: readonly Pick<CollectionDefinition<never, never>, 'name'>[];
  /** Roles beside `viewer`, `member` and `admin`, with their scopes: `{ clerk: ['books:read'] }`. */
  readonly roles?: Readonly<Record<string, readonly string[]>>;
  readonly migrations?: readonly Migration[];
  /** Nest modules of one's own. */
  readonly modules?: NonNullable<ModuleMetadata['imports']>;
  /** Own ways to authenticate, as strategies of Passport. */
  readonly auth?: AuthSettings;
  /** By the names of the environment, which they override; `''` unsets one. */
  readonly settings?: Readonly<Record<string, string>>;
  /**
   * Access rules of routes that plugins of Fastify or `SwaggerModule.setup()` add.
   * @example access: { 'GET /swagger*': 'public', 'GET /reports': { scope: 'books:read' } }
   */
  readonly access?: AccessEntries;
  /** Texts of the document: an example and further changes of events, and first steps. */
  readonly document?: Partial<Pick<Composition, 'events' | 'quickStart'>>;
  /** Of the document. */
  readonly info?: { readonly title?: string; readonly version?: string };
  /**
   * Called once with the application, after its modules are made and before it listens: for plugins of Fastify, a WebSocket
   * adapter, and global enhancers.
   * @example configure: async (app) => { await app.register(multipart); }
   */
  readonly configure?: (app: NestFastifyApplication) => unknown;
  /** Whether SIGTERM and SIGINT stop it; true where it is left out. */
  readonly signals?: boolean;
}

/** The same of a service whose composition is written by hand. */
export interface ComposedOptions extends Pick<ServiceOptions, 'configure' | 'settings' | 'signals'> {
  readonly composition: Composition;
}

/** A service that listens. */
export interface RunningService {
  readonly url: string;
  /** Of `ADMIN_API_KEY`, or as the first start has made it; undefined later, when only its hash is known. */
  readonly adminKey: string | undefined;
  readonly app: NestFastifyApplication;
  /** Stops it, once. */
  stop(): Promise<void>;
}
