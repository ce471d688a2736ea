import { ModelService, type FaultServer } from '@items/testing';

import type { ClientOptions } from '../client-options.js';
import { createClient, type ItemsClient } from '../create-client.js';

/** A client that records its delays instead of waiting. */
export interface ClientUnderTest {
  readonly client: ItemsClient;
  readonly sleeps: number[];
}

/** Timeout that no request reaches, even on a busy machine: a retry would change the number of requests. */
export const USUAL_MS = 30_000;

/** Creates a client without jitter, unless the options set it. */
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

/** Returns the error of a call. @throws {Error} The call succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Readonly<Record<string, unknown>>> {
  try {
    await call;
  } catch (error) {
    return error as Error & Readonly<Record<string, unknown>>;
  }
  throw new Error('The call has succeeded');
}
