import type { DatabaseName } from '@items/testing';

/** The service that all specs of a Jest project share. The global set-up describes it in environment variables. */
export interface SharedService {
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** A key with every scope and a quota that the specs do not exceed. */
  readonly apiKey: string;
  /** Absent if the tests did not start this service. */
  readonly logFile?: string;
  /** OpenAPI document of the service, if there is one. */
  readonly openApiFile?: string;
}

declare global {
  var database: DatabaseName | 'given';
  var isFirstDatabase: boolean;
}

export const service = sharedService();

export const servicePort = Number(new URL(service.baseUrl).port || 80);
export const serviceHost = new URL(service.baseUrl).hostname;

/** False if the tests use the service at `BASE_URL`. */
export const startsServices = globalThis.database !== 'given';

/** The database of services that a spec starts. @throws {Error} the spec lacks `describeStarted`. */
export function databaseUnderTest(): DatabaseName {
  if (globalThis.database === 'given') throw new Error('This spec starts a service: use describeStarted');
  return globalThis.database;
}

/** `describe` for specs that start, configure or stop a service; they are skipped with `BASE_URL`. */
export const describeStarted = startsServices ? describe : describe.skip;

/** `describe` for specs without a database: they run only once, for the first database. */
export const describeOnce = globalThis.isFirstDatabase ? describe : describe.skip;

/** `describe` for specs that start a service, and may use any database. */
export const describeStartedOnce = globalThis.isFirstDatabase ? describeStarted : describe.skip;

function sharedService(): SharedService {
  const shared = process.env[`SERVICE_${globalThis.database.toUpperCase()}`];
  if (shared === undefined) throw new Error('No service: run Jest with the configuration of apps/api-e2e');
  return JSON.parse(shared) as SharedService;
}
