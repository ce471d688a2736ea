import { startTestService, type TestService } from '@items/service/testing';
import { HttpClient, type TestDatabaseConfig } from '@items/testing';

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
  const own = { DATABASE_URL: urlOf(database), ADMIN_API_KEY: 'a'.repeat(32) };
  const { app, url, stop, adminKey } = await startTestService(AppModule, { settings: { ...own, ...settings } });
  return { app, url, stop, admin: new HttpClient({ baseUrl: url, headers: [['X-API-Key', adminKey]] }) };
}
