import type { CountedCollection } from '../data/writes/recount.js';
import type { EventsOptions } from '../feed/events.js';
import type { DatabaseConfig, DatabaseSchema } from '../data/database/database-options.js';

import type { Config } from '../runtime/config/config.js';
import type { Progress } from './session/progress.js';
import type { ReadJson } from './import-export/read-members.js';
import type { Transferable } from './import-export/transferable.js';

export interface OperationContext {
  readonly database: DatabaseConfig;
  readonly schema: DatabaseSchema;
  readonly config: Config;
  readonly print: (line: string) => void;
  /** Sets the exit status. Default: 0. */
  readonly exitWith: (status: number) => void;
  readonly warn: (line: string) => void;
  readonly progress: Progress;
  /** @param event in snake_case. @param subject id of the resource concerned. @param details without secrets. */
  readonly audit: (event: string, subject: string | null, details?: Readonly<Record<string, unknown>>) => void;
  readonly collections: readonly Transferable[];
  readonly counted: readonly CountedCollection[];
  readonly events: EventsOptions;
  /** Base URL of the setup link; undefined if the service offers none. */
  readonly setupBaseUrl: string | undefined;
  readonly readJson: ReadJson;
}

export interface Operation {
  readonly args: string;
  readonly purpose: string;
  readonly failure: string;
  /** @returns a sentence for the operator; undefined if the arguments are wrong. */
  readonly run: (context: OperationContext, args: readonly string[]) => Promise<string> | undefined;
}

export type Operations = Readonly<Record<string, Operation>>;
