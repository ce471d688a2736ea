import type { ApiKeyInput, CreatedApiKey, Scope } from '@items/dtos/contract';
import { HttpClient } from '@items/testing';

import { conventions } from './conventions.js';
import { expectStatus } from './reading.js';
import { service, startsServices } from './service.js';

/**
 * A client without a credential, which does not check responses. With BASE_URL, waits for the quota of that service.
 */
export const unobserved = new HttpClient({
  baseUrl: service.baseUrl,
  headers: [['User-Agent', 'items-e2e']],
  retriesAfter429: !startsServices,
});

/** A client without a credential. */
export const anonymous = unobserved.withOptions({ observers: [conventions] });

/** A client with every scope. */
export const admin = withKey(service.apiKey);

export function withKey(key: string, client = anonymous): HttpClient {
  return client.withHeaders(['X-API-Key', key]);
}

/** Returns a client with a new key that has exactly these scopes. */
export async function clientWith(...scopes: readonly Scope[]): Promise<HttpClient> {
  return withKey((await createKey({ scopes })).key);
}

/** Creates a key. Its default quota is one that no test reaches, or the user's quota if a user creates it. */
export async function createKey(input: Partial<ApiKeyInput> = {}, creator = admin): Promise<CreatedApiKey> {
  const quota = creator === admin ? { requests: 1_000_000, seconds: 60 } : null;
  const body = { name: 'Test', scopes: ['items:read'], rate_limit: quota, ...input };
  const answer = await creator.post('/api-keys', body);
  expectStatus(answer, 201);
  return answer.json() as CreatedApiKey;
}
