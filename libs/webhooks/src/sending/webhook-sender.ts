import type { Client, Dispatcher } from 'undici';

import { AddressRanges } from './address-ranges.js';
import { type Attempt, AttemptFailure, type AttemptResult } from './attempt.js';
import { Connections } from './connections.js';
import { judgedConnections } from './judged-connections.js';
import { judgeAddress } from './judge-address.js';
import { refusalOfExempt, targetOf, type UrlRefusal } from './judge-url.js';
import { NameResolver } from './name-resolver.js';
import { type Outcome, outcomeOfAnswer, reasonOf, resultOf } from './outcome.js';
import { requestOf } from './webhook-request.js';
import { withDeadline } from './with-deadline.js';

/** How {@link WebhookSender} sends. */
export interface WebhookSenderOptions {
  /** Ranges of addresses that are exempt: `WEBHOOK_ALLOW`. */
  readonly allow?: readonly string[] | undefined;
  /** A resolver as `address:port`: `WEBHOOK_DNS`. Left out, those of the machine. */
  readonly dns?: string | undefined;
  /** For an attempt as a whole. Default 15 000. */
  readonly timeoutMs?: number | undefined;
  /** Certificates (PEM) that are trusted, instead of those that Node trusts. */
  readonly ca?: readonly string[] | undefined;
}

/** So much of an answer is read; with more, its connection ends. */
const ANSWER_BYTES = 16 * 1024;
/** Answers before the answer (1xx) that are passed over; with more, the connection ends. */
const INFORMATIONAL_ANSWERS = 10;

/** Sends events to receivers, one attempt at a call, by Standard Webhooks 1.0.0. SPEC §6 Webhooks, Attempt */
export class WebhookSender {
  private readonly allow: AddressRanges;
  private readonly resolver: NameResolver;
  private readonly timeoutMs: number;
  private readonly connections: Connections;

  /** @throws {TypeError} a range or a resolver that cannot be read. */
  constructor({ allow = [], dns, timeoutMs = 15_000, ca }: WebhookSenderOptions = {}) {
    this.allow = new AddressRanges(allow);
    this.resolver = new NameResolver(dns);
    this.timeoutMs = timeoutMs;
    const connect = judgedConnections({ resolver: this.resolver, allow: this.allow, ca, timeoutMs });
    this.connections = new Connections(connect);
  }

  /**
   * Judges the URL of a webhook as `judgeUrl` does, but looks a name up where only its addresses can tell: with `http` or
   * a port that others may not have, all of them must be exempt.
   * @returns what is wrong, or undefined.
   */
  async judge(url: string): Promise<UrlRefusal | undefined> {
    const target = targetOf(url, this.allow);
    if ('code' in target) return target;
    if (!target.exemptOnly || target.literal !== undefined) return undefined;
    const addresses = await this.resolver.addressesOf(target.url.hostname).catch(() => []);
    const isExempt = addresses.length > 0 && addresses.every((one) => judgeAddress(one, this.allow) === 'exempt');
    return isExempt ? undefined : refusalOfExempt(target);
  }

  /**
   * Sends an event once. What goes wrong on the way is a result, not an error.
   * @throws {TypeError} a secret of another form; and the reason of `attempt.signal`, once it is aborted.
   */
  async attempt(attempt: Attempt): Promise<AttemptResult> {
    const { at, signal } = attempt;
    signal?.throwIfAborted();
    const target = targetOf(attempt.url, this.allow);
    if ('code' in target) return resultOf(at, 0, { error: 'forbidden_address' });

    const started = performance.now();
    const elapsedMs = (): number => Math.round(performance.now() - started);
    let outcome: Outcome = {};
    try {
      const request = requestOf(attempt, target.url);
      const send = async (client: Client): Promise<void> => {
        const answer = await client.request({ ...request, onInfo: fewInfos(client) });
        const retryAfter = answer.headers['retry-after']?.toString();
        outcome = outcomeOfAnswer(answer.statusCode, retryAfter, at.getTime() + elapsedMs());
        if (!(await isReadWhole(answer.body))) void client.destroy();
      };
      await this.connections.use(target.url.origin, async (client) =>
        withDeadline(this.timeoutMs, signal, async () => send(client)),
      );
    } catch (error) {
      signal?.throwIfAborted();
      outcome = { ...outcome, error: reasonOf(error) };
    }
    return resultOf(at, elapsedMs(), outcome);
  }

  /** Waits for what is under way, and closes the connections. */
  async close(): Promise<void> {
    await this.connections.close();
    this.resolver.cancel();
  }
}

/** Ends a connection whose receiver answers "wait" without end. */
function fewInfos(client: Client): () => void {
  let left = INFORMATIONAL_ANSWERS;
  return () => {
    left -= 1;
    if (left < 0) void client.destroy(new AttemptFailure('connect', 'There were too many answers before the answer.'));
  };
}

/** Reads an answer to its end, but not more than is read of one. */
async function isReadWhole(body: Dispatcher.ResponseData['body']): Promise<boolean> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES) return false;
  }
  return true;
}
