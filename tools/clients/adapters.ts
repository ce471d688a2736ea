import { createClient } from '@items/client';

/** Timeout of an attempt. */
const timeoutMs = 600;

/** A client to compare, and its requests. */
export interface Adapter {
  name: string;
  secret: string;
  client: unknown;
  read: () => Promise<unknown>;
  create: () => Promise<unknown>;
  /** Updates a resource only if no other client has changed it. Omitted for clients without this feature. */
  update?: () => Promise<unknown>;
}

export function ours(baseUrl: string): Adapter {
  const secret = 'itk_secret-of-ours';
  const client = createClient({ baseUrl, auth: { apiKey: secret }, timeoutMs });
  return {
    name: '@items/client',
    secret,
    client,
    read: () => client.items.get('item-1'),
    create: () => client.items.create({ name: 'Mug' }),
    update: () => client.items.update('item-1', (item) => ({ ...item, name: 'Cup' })),
  };
}

/** Stripe's client, configured as in its README, with as many attempts as our client. */
// The types are missing, because only `compare-clients` installs the packages of the other clients.
/* eslint-disable @typescript-eslint/no-explicit-any */
export function stripe(Stripe: any, baseUrl: string): Adapter {
  const secret = 'sk_test_secret_of_stripe';
  const { hostname: host, port } = new URL(baseUrl);
  const server = { protocol: 'http', host, port: Number(port) };
  const client = new Stripe(secret, { ...server, maxNetworkRetries: 3, timeout: timeoutMs, telemetry: false });
  return {
    name: 'stripe',
    secret,
    client,
    read: () => client.rawRequest('GET', '/v1/items/item-1'),
    create: () => client.rawRequest('POST', '/v1/items', { name: 'Mug' }),
  };
}

/**
 * Octokit with the recommended plugins for retries and throttling, and as many attempts as our client.
 */
export function octokit({ Octokit, retry, throttling }: any, baseUrl: string): Adapter {
  const secret = 'ghp_secret_of_octokit';
  const again = (retryAfter: number, { request }: { request: { retryCount: number } }) =>
    request.retryCount < 3 && retryAfter <= 30;
  const client = new (Octokit.plugin(retry, throttling))({
    auth: secret,
    baseUrl,
    log: { debug() {}, info() {}, warn() {}, error() {} },
    throttle: { onRateLimit: again, onSecondaryRateLimit: again },
    // Octokit has no timeout. Its documentation recommends this code.
    request: {
      fetch: (url: string, init: RequestInit) => fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }),
    },
  });
  return {
    name: '@octokit/core with plugin-retry and plugin-throttling',
    secret,
    client,
    read: () => client.request('GET /items/item-1'),
    create: () => client.request('POST /items', { name: 'Mug' }),
  };
}
