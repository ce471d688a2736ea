import { HttpClient, type TestDatabaseConfig } from '@items/testing';

import { type RunningService, type ServiceOptions } from '../index.js';
import { startComposed } from './process/start-composed.js';

type Options = ServiceOptions;

export interface StartedService extends RunningService {
  readonly admin: HttpClient;
}

/** Services that a test starts on one database, one after the other or in parallel. */
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

  async close(): Promise<void> {
    for (const service of this.running) await service.stop();
  }
}

/** Starts a service on a free port without warm-up. Its stop does not wait for a load balancer or for clients. */
export async function startForTest({ settings, ...options }: Options): Promise<StartedService> {
  const quick = { DATABASE_URL: 'sqlite::memory:', PORT: '0', LOG_LEVEL: 'error' };
  const service = await startComposed({ signals: false, ...options, settings: { ...quick, ...settings } }, {});
  const { url, adminKey = '' } = service;
  return { ...service, admin: new HttpClient({ baseUrl: url, headers: [['X-API-Key', adminKey]] }) };
}
