import { ModelService, type FaultServer } from '@items/testing';

import type { ClientOptions } from '../client-options.js';
import { createClient, type ItemsClient } from '../create-client.js';

/** A client whose waits take no time and are written down. */
export interface ClientUnderTest {
  readonly client: ItemsClient;
  /** Every wait between requests, in ms. */
  readonly sleeps: number[];
}

/** Without jitter, unless the options bring their own. */
export function clientOf(server: FaultServer, options: Partial<ClientOptions> = {}): ClientUnderTest {
  const sleeps: number[] = [];
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const client = createClient({
    baseUrl: server.baseUrl,
    auth: { apiKey: ModelService.apiKey },
    timeoutMs: 300,
    ...options,
    retry: { random: () => 0, sleep, ...options.retry },
  });
  return { client, sleeps };
}

/** The error that a call fails with. @throws {Error} where it succeeds. */
export async function failureOf(call: Promise<unknown>): Promise<Error & Readonly<Record<string, unknown>>> {
  try {
    await call;
  } catch (error) {
    return error as Error & Readonly<Record<string, unknown>>;
  }
  throw new Error('The call has succeeded');
}
