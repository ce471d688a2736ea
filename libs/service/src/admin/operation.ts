import type { CountedCollection } from '../data/writes/recount.js';
import type { EventsOptions } from '../feed/events.js';
import type { DatabaseConfig, DatabaseSchema } from '../data/database/database-options.js';

import type { Progress } from './session/progress.js';
import type { ReadJson } from './transfer/read-members.js';
import type { Transferable } from './transfer/transferable.js';

/** What an operation works on, and with. */
export interface OperationContext {
  readonly database: DatabaseConfig;
  readonly schema: DatabaseSchema;
  /** Hears what is to be known before the end. */
  readonly tell: (line: string) => void;
  /** Hears how far it has come. */
  readonly progress: Progress;
  /** Hears what was done: an event in snake_case, the id of what it has happened to, and more to know. No secret. */
  readonly audit: (event: string, subject: string | null, details?: Readonly<Record<string, unknown>>) => void;
  /** The collections that can be exported, and imported. */
  readonly collections: readonly Transferable[];
  /** All collections of the service, with what is counted of them. */
  readonly counted: readonly CountedCollection[];
  /** Of the service: what is imported makes events. */
  readonly events: EventsOptions;
  /** Of the console; undefined if the running service offers no link for a first administrator. */
  readonly setupBaseUrl: string | undefined;
  /** As the API reads a body. */
  readonly readJson: ReadJson;
}

/** Something that an operator does, by its name. */
export interface Operation {
  /** What stands behind its name, for the usage. */
  readonly args: string;
  readonly purpose: string;
  /** What it could not do, where it fails. */
  readonly failure: string;
  /** @returns a sentence that says what was done; undefined where these are not its arguments. */
  readonly run: (context: OperationContext, args: readonly string[]) => Promise<string> | undefined;
}

/** By their names. */
export type Operations = Readonly<Record<string, Operation>>;
