import type { CountedCollection } from '../data/writes/recount.js';
import type { EventsOptions } from '../feed/events.js';
import type { DatabaseConfig, DatabaseSchema } from '../data/database/database-options.js';

import type { Config } from '../runtime/config/config.js';
import type { Progress } from './session/progress.js';
import type { ReadJson } from './transfer/read-members.js';
import type { Transferable } from './transfer/transferable.js';

export interface OperationContext {
  readonly database: DatabaseConfig;
  readonly schema: DatabaseSchema;
  /** All settings of the environment. */
  readonly config: Config;
  /** Prints a line before the end. */
  readonly tell: (line: string) => void;
  /** Sets the exit status of a command whose result is an answer. Default: 0. */
  readonly exitWith: (status: number) => void;
  /** Prints a line, and makes the exit status 3. */
  readonly warn: (line: string) => void;
  /** Shows the progress. */
  readonly progress: Progress;
  /** Records an event in snake_case, with the id of the resource concerned, and details without secrets. */
  readonly audit: (event: string, subject: string | null, details?: Readonly<Record<string, unknown>>) => void;
  readonly collections: readonly Transferable[];
  /** All collections of the service, with their totals. */
  readonly counted: readonly CountedCollection[];
  /** Settings of the service's events: imports create events. */
  readonly events: EventsOptions;
  /** Base URL of the console; undefined if the service offers no setup link. */
  readonly setupBaseUrl: string | undefined;
  /** Parses JSON as the API parses a body. */
  readonly readJson: ReadJson;
}

/** A command for operators. */
export interface Operation {
  /** Its arguments, for the usage. */
  readonly args: string;
  readonly purpose: string;
  /** Beginning of the message of a failure. */
  readonly failure: string;
  /** @returns a sentence for the operator; undefined if the arguments are wrong. */
  readonly run: (context: OperationContext, args: readonly string[]) => Promise<string> | undefined;
}

export type Operations = Readonly<Record<string, Operation>>;
