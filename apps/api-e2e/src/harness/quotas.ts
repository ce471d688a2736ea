import type { CreatedApiKey } from '@items/dtos/contract';
import type { RateLimit } from '@items/conventions';
import { HttpClient, startApp, type Answer, type RunningApp } from '@items/testing';

import { conventions } from './conventions.js';
import { expectStatus } from './reading.js';
import { databaseUnderTest } from './service.js';

/** State of the quota in a response. */
export interface QuotaState {
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window ends. */
  readonly reset: number;
}

export function quotaOf(answer: Answer): QuotaState {
  const [limit = NaN, remaining = NaN, reset = NaN] = ['Limit', 'Remaining', 'Reset'].map((name) =>
    Number(answer.header(`X-RateLimit-${name}`)),
  );
  return { limit, remaining, reset };
}

/** A service with quotas that are small enough to be exceeded. */
export class QuotaService {
  private nextAddress = 2;

  private constructor(
    readonly app: RunningApp,
    private readonly client: HttpClient,
  ) {}

  static async start(env: Readonly<Record<string, string>>): Promise<QuotaService> {
    const app = await startApp({ database: databaseUnderTest(), env });
    return new QuotaService(app, new HttpClient({ baseUrl: app.baseUrl, observers: [conventions] }));
  }

  /** A client without a credential, from an unused address. */
  stranger(): HttpClient {
    this.nextAddress += 1;
    return this.client.withOptions({ localAddress: `127.0.0.${this.nextAddress}` });
  }

  withKey(key: string): HttpClient {
    return this.client.withHeaders(['X-API-Key', key]);
  }

  /** A client with a new key. Default: the quota of the service. */
  async member(rateLimit: RateLimit | null, scopes = ['items:read', 'items:write']): Promise<HttpClient> {
    const answer = await this.withKey(this.app.adminKey).post('/api-keys', {
      name: 'Key',
      scopes,
      rate_limit: rateLimit,
    });
    expectStatus(answer, 201);
    return this.withKey((answer.json() as CreatedApiKey).key);
  }
}

export function tally(answers: readonly Answer[]): Record<number, number> {
  const counts: Record<number, number> = {};
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
