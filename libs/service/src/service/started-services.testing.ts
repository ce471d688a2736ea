import { setImmediate as nextTurn } from 'node:timers/promises';

import { closeIdleConnections, HttpClient, type TestDatabaseConfig } from '@items/testing';

import { type RunningService, type ServiceOptions, startService } from '../index.js';

type Options = ServiceOptions;

/** A service of this process that a test has started. */
export interface StartedService extends RunningService {
  /** With the admin key. */
  readonly admin: HttpClient;
}

/** Services that a test starts on one database, one after the other or beside each other. */
export class StartedServices {
  private readonly running: RunningService[] = [];

  constructor(private readonly database: TestDatabaseConfig) {}

  async start({ settings, ...options }: Options): Promise<StartedService> {
    const { database } = this;
    const DATABASE_URL = database.dialect === 'postgres' ? database.url : `sqlite:${database.file}`;
    const own = { DATABASE_URL, ADMIN_API_KEY: 'k'.repeat(32), LOG_LEVEL: 'fatal' };
    const service = await startForTest({ ...options, settings: { ...own, ...settings } });
    this.running.push(service);
    return service;
  }

  /** Stops those that a test has left running. */
  async close(): Promise<void> {
    for (const service of this.running) await service.stop();
  }
}

/** Starts a service on a free port that neither warms up, nor waits for a balancer or for the test's own connections. */
export async function startForTest({ settings, ...options }: Options): Promise<StartedService> {
  const quick = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'error', STOP_DELAY: '0', WARM_UP_MS: '0' };
  const service = await startService({ signals: false, ...options, settings: { ...quick, ...settings } });
  const { url, adminKey = '' } = service;
  const stop = async (): Promise<void> => {
    // The connection of the last answer is idle a turn later.
    await nextTurn();
    closeIdleConnections(Number(new URL(url).port));
    await service.stop();
  };
  return { ...service, stop, admin: new HttpClient({ baseUrl: url, headers: [['X-API-Key', adminKey]] }) };
}
