import type { ApiKeyInput, CreatedApiKey, Scope } from '@items/dtos/contract';
import { HttpClient } from '@items/testing';

import { conventions } from './conventions.js';
import { expectStatus } from './reading.js';
import { service, startsServices } from './service.js';

/** Without a credential, and without anybody looking at the answers. A given service's quota is waited out. */
export const unobserved = new HttpClient({
  baseUrl: service.baseUrl,
  headers: [['User-Agent', 'items-e2e']],
  patient: !startsServices,
});

/** Without a credential. */
export const anonymous = unobserved.having({ observers: [conventions] });

/** Holds every scope. */
export const admin = withKey(service.apiKey);

/** The same service with this key. */
export function withKey(key: string, client = anonymous): HttpClient {
  return client.with(['X-API-Key', key]);
}

/** A new key with exactly these scopes, and its client. */
export async function clientWith(...scopes: readonly Scope[]): Promise<HttpClient> {
  return withKey((await createKey({ scopes })).key);
}

/** Creates a key; of the administrator's, no test reaches the quota. A key that a user makes has at most the user's quota. */
export async function createKey(input: Partial<ApiKeyInput> = {}, creator = admin): Promise<CreatedApiKey> {
  const quota = creator === admin ? { requests: 1_000_000, seconds: 60 } : null;
  const body = { name: 'Test', scopes: ['items:read'], rate_limit: quota, ...input };
  const answer = await creator.post('/api-keys', body);
  expectStatus(answer, 201);
  return answer.json() as CreatedApiKey;
}
