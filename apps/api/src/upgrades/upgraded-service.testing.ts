import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { startTestService, type TestService } from '@items/service/testing';
import { closeIdleConnections, HttpClient, type TestDatabaseConfig } from '@items/testing';

import { AppModule } from '../app.module.js';

/** This version of the service on a database that the test has prepared. */
export interface UpgradedService extends Pick<TestService, 'app' | 'stop'> {
  readonly url: string;
  readonly admin: HttpClient;
}

export function urlOf(database: TestDatabaseConfig): string {
  return database.dialect === 'postgres' ? database.url : `sqlite:${database.file}`;
}

export async function startOn(
  database: TestDatabaseConfig,
  settings: Readonly<Record<string, string>> = {},
): Promise<UpgradedService> {
  const own = { DATABASE_URL: urlOf(database), ADMIN_API_KEY: 'a'.repeat(32), STOP_DELAY: '0', WARM_UP_MS: '0' };
  const service = await startTestService(AppModule, { settings: { ...own, ...settings } });
  const { app, url, adminKey } = service;
  const stop = async (): Promise<void> => {
    // Only in the next turn of the event loop is the connection of the last response idle. A stop would wait for it.
    await yieldToEventLoop();
    closeIdleConnections(Number(new URL(url).port));
    await service.stop();
  };
  return { app, url, stop, admin: new HttpClient({ baseUrl: url, headers: [['X-API-Key', adminKey]] }) };
}
