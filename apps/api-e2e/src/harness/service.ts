import type { DatabaseName } from '@items/testing';

/** The service that all specs of a Jest project share, as the global set-up left it in the environment. */
export interface SharedService {
  /** Without a slash at its end. */
  readonly baseUrl: string;
  /** A key with every scope and a quota beyond what the specs need. */
  readonly apiKey: string;
  /** Absent where somebody else started the service. */
  readonly logFile?: string;
  /** The document that the service gives of itself; absent where it gives none. */
  readonly openApiFile?: string;
}

declare global {
  var database: DatabaseName | 'given';
  var isFirstDatabase: boolean;
}

export const service = sharedService();

/** Where the shared service listens. */
export const servicePort = Number(new URL(service.baseUrl).port || 80);
/** Host name or address of the shared service. */
export const serviceHost = new URL(service.baseUrl).hostname;

/** Whether the tests start services themselves; not so where `BASE_URL` gives one. */
export const startsServices = globalThis.database !== 'given';

/** The database to start services on. @throws {Error} in specs that forgot `describeStarted`. */
export function databaseUnderTest(): DatabaseName {
  if (globalThis.database === 'given') throw new Error('This spec starts a service: use describeStarted');
  return globalThis.database;
}

/** `describe` for specs that start, configure or stop a service; skipped, and reported so, where one is given. */
export const describeStarted = startsServices ? describe : describe.skip;

/** `describe` for what no database has a part in: run for the first one only. */
export const describeOnce = globalThis.isFirstDatabase ? describe : describe.skip;

/** Both. */
export const describeStartedOnce = globalThis.isFirstDatabase ? describeStarted : describe.skip;

function sharedService(): SharedService {
  const shared = process.env[`SERVICE_${globalThis.database.toUpperCase()}`];
  if (shared === undefined) throw new Error('No service: run Jest with the configuration of apps/api-e2e');
  return JSON.parse(shared) as SharedService;
}
