import { ModelService, type FaultServer } from '@items/testing';

import type { ClientOptions } from '../client-options.js';
import { createClient, type ItemsClient } from '../create-client.js';

/** Creates a client that records its delays instead of waiting. */
export interface ClientUnderTest {
  readonly client: ItemsClient;
  readonly sleeps: number[];
}

/** Time-out that no request reaches, also on a busy machine: a retry would change the count of requests. */
export const USUAL_MS = 30_000;

/** Without jitter, unless the options set it. */
export function clientOf(server: FaultServer, options: Partial<ClientOptions> = {}): ClientUnderTest {
  const sleeps: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const client = createClient({
    baseUrl: server.baseUrl,
    auth: { apiKey: ModelService.apiKey },
    timeoutMs: USUAL_MS,
    ...options,
    retry: { random: () => 0, sleep, ...options.retry },
  });
  return { client, sleeps };
}

/** Returns the error of a call. @throws {Error} if the call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Readonly<Record<string, unknown>>> {
  try {
    await call;
  } catch (error) {
    return error as Error & Readonly<Record<string, unknown>>;
  }
  throw new Error('The call has succeeded');
}
