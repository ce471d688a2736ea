import { randomBytes, randomUUID } from 'node:crypto';

import type { CreatedApiKey, User } from '@items/dtos/contract';
import type { Type } from '@nestjs/common';
import type { TestingModuleBuilder } from '@nestjs/testing';

import { rootOptionsOf } from '../process/service.module.js';
import type { ComposedOptions, ServiceOptions } from '../composition/composition.js';
import type { TestService } from './test-service.js';

/** Default quota, which no test reaches. */
const UNLIMITED = '1000000/60';
const SETTINGS = {
  DATABASE_URL: 'sqlite::memory:',
  PORT: '0',
  LOG_LEVEL: 'error',
  RATE_LIMIT: UNLIMITED,
  RATE_LIMIT_ANONYMOUS: UNLIMITED,
};

/** Options of {@link startTestService}. */
export type TestServiceOptions = (ServiceOptions | ComposedOptions) & {
  /**
   * Replaces providers, guards or interceptors by `@nestjs/testing`, which must be installed.
   * @example override: (builder) => builder.overrideProvider(Mailer).useValue(fake)
   */
  readonly override?: (builder: TestingModuleBuilder) => unknown;
};

/**
 * Starts a service for a test: in memory, on a free port, without warm-up, signals and quotas. `settings` override this.
 * Its stop closes idle connections at once.
 * @example const service = await startTestService({ collections: [books] });
 * const { token } = await service.user({ role: 'viewer' });
 * @example const service = await startTestService(AppModule, { settings: { AUDIT_TTL: '60' } });
 * @param service options of `startService`, a root module, or a composition.
 * @param changes override the options of the root module.
 * @throws {ConfigError} a setting is wrong.
 * @throws {Error} the database exists, and `ADMIN_API_KEY` is not set.
 */
export async function startTestService(
  service: TestServiceOptions | Type,
  changes: TestServiceOptions = {},
): Promise<TestService> {
  const root = typeof service === 'function' ? rootOptionsOf(service) : service;
  const { settings, override, ...options }: TestServiceOptions = { ...root, ...changes };
  // Load the service here to save memory, as `startService` does.
  const { startComposed } = await import('../process/start-composed.js');
  const running = await startComposed(
    { signals: false, ...options, settings: { ...SETTINGS, ...settings } },
    { create: override && (await import('./create-overridden.js')).createOverridden(override) },
  );
  const { url, adminKey } = running;
  if (adminKey === undefined) {
    await running.stop();
    throw new Error(
      'A test service creates users with the admin key: this existing database needs settings.ADMIN_API_KEY.',
    );
  }
  const create = async <Made>(path: string, body: object): Promise<Made> => {
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': adminKey };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(`POST ${path}: ${String(response.status)} ${await response.text()}`);
    return (await response.json()) as Made;
  };
  return {
    ...running,
    adminKey,
    user: async ({ role = 'member', scopes } = {}) => {
      const username = `user-${randomBytes(8).toString('hex')}`;
      const password = randomUUID();
      const user = await create<User>('/users', { username, password, role });
      const scope = scopes && { scope: scopes.join(' ') };
      const { access_token: token } = await create<{ access_token: string }>('/sessions', {
        username,
        password,
        ...scope,
      });
      return { user, password, token };
    },
    key: async (scopes) => (await create<CreatedApiKey>('/api-keys', { name: 'Test', scopes })).key,
  };
}
