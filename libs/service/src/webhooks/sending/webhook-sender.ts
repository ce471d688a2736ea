import { LRUCache } from 'lru-cache';

import { AddressRanges } from '../../runtime/config/address-ranges.js';
import { exchange } from './exchange.js';
import type { Attempt, AttemptResult } from './attempt.js';
import { Connections } from './connections.js';
import { checkedConnections } from './checked-connections.js';
import { classifyAddress } from './classify-address.js';
import { refusalOfExempt, type Target, parseTarget, type UrlRefusal } from './check-url.js';
import { NameResolver } from './name-resolver.js';
import { type PartialResult, outcomeOfResponse, reasonOf, resultOf } from './outcome.js';
import { requestOf } from './webhook-request.js';
import { withTimeout } from './with-deadline.js';

export interface WebhookSenderOptions {
  readonly allow?: readonly string[] | undefined;
  /** Resolver as `address:port`. Default: the resolvers of the machine. */
  readonly dns?: string | undefined;
  /** Limit for the whole attempt. Default: 15 000 ms. */
  readonly timeoutMs?: number | undefined;
  /** Trusted certificates (PEM) that replace Node's. */
  readonly ca?: readonly string[] | undefined;
}

/** Sends events as Standard Webhooks 1.0.0 requires; one attempt per call. SPEC §6 Webhooks, Attempt */
export class WebhookSender {
  private readonly allow: AddressRanges;
  private readonly resolver: NameResolver;
  private readonly timeoutMs: number;
  private readonly connections: Connections;
  private readonly targets = new LRUCache<string, Target | UrlRefusal>({
    max: 50,
    memoMethod: (url) => parseTarget(url, this.allow),
  });

  constructor({ allow = [], dns, timeoutMs = 15_000, ca }: WebhookSenderOptions = {}) {
    this.allow = new AddressRanges(allow);
    this.resolver = new NameResolver(dns);
    this.timeoutMs = timeoutMs;
    const connect = checkedConnections({ resolver: this.resolver, allow: this.allow, ca, timeoutMs });
    this.connections = new Connections(connect);
  }

  /**
   * Checks the URL of a webhook. Looks up a name only with `http` or a restricted port, because all its addresses must
   * then be exempt.
   */
  async checkUrl(url: string): Promise<UrlRefusal | undefined> {
    const target = parseTarget(url, this.allow);
    if ('code' in target) return target;
    if (!target.exemptOnly || target.literal !== undefined) return undefined;
    const addresses = await this.resolver.addressesOf(target.url.hostname).catch(() => []);
    const isExempt = addresses.length > 0 && addresses.every((one) => classifyAddress(one, this.allow) === 'exempt');
    return isExempt ? undefined : refusalOfExempt(target);
  }

  /** Network errors are returned as results. @throws {TypeError} a malformed secret. */
  async attempt(attempt: Attempt): Promise<AttemptResult> {
    const { at } = attempt;
    const target = this.targets.memo(attempt.url);
    if ('code' in target) return resultOf(at, 0, { error: 'forbidden_address' });

    const started = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - started);
    let outcome: PartialResult = {};
    const onResponse = (statusCode: number, retryAfter: string | undefined): void => {
      outcome = outcomeOfResponse(statusCode, retryAfter, at.getTime() + elapsedMs());
    };
    try {
      const request = requestOf(attempt, target);
      await this.connections.use(target.origin, (client) =>
        withTimeout(this.timeoutMs, exchange(client, request, onResponse)),
      );
    } catch (error) {
      outcome = { ...outcome, error: reasonOf(error) };
    }
    return resultOf(at, elapsedMs(), outcome);
  }

  async close(): Promise<void> {
    await this.connections.close();
    this.resolver.cancel();
  }
}
