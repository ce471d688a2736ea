import { isCode } from '@items/conventions';
import type { Credential, CredentialHeader } from './credential.js';
import type { CallOptions } from '../client-options.js';
import { etagIn } from './etag-of.js';
import { isStatus, ItemsNetworkError, wasRefused } from '../errors/items-api-error.js';
import type { Settings } from '../settings.js';
import { etagCache } from './etag-cache.js';
import type { Answer, OutgoingRequest, Send } from './outgoing-request.js';
import { quotaPacer } from './quota-pacer.js';
import { retrying } from './retry.js';
import { withSignals } from './signals.js';

export interface Call extends CallOptions {
  readonly method: OutgoingRequest['method'];
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly input?: unknown;
  readonly isEmpty?: boolean | undefined;
  /**
   * Failures after which the request is sent again. `safe` (default): any temporary failure; `refused`: only if the
   * service did nothing; `never`: none.
   */
  readonly repeat?: 'safe' | 'refused' | 'never' | undefined;
  /** Returns a success if the error shows that an earlier attempt of the call succeeded. @throws The error otherwise. */
  readonly settle?: ((error: unknown) => Promise<Answer>) | undefined;
}

export type Transport = (call: Call) => Promise<Answer>;

/** Adds the credential, retries, the cache and quota pacing to each call. Seed specification §8 */
export function createTransport(settings: Settings, credential: Credential | undefined, send: Send): Transport {
  const pacer = settings.paceByQuota ? quotaPacer(settings.retry) : undefined;
  const cache = settings.cache && etagCache(settings.cache);

  const make = async (call: Call, signal: AbortSignal): Promise<Answer> => {
    const request = { ...requestOf(call), signal, onAnswer: pacer?.note };
    const headerFor = credential?.begin();
    let refused: CredentialHeader | undefined;
    /** Whether an error comes from the request of this call. Errors of a token renewal or `settle` are not retried here. */
    let isOwn = false;

    const attemptOnce = async (attempt: number): Promise<Answer> => {
      isOwn = false;
      const header = await headerFor?.(signal, refused);
      isOwn = true;
      const key = `${header === undefined ? '' : (credential?.owner(header) ?? '')} ${call.path}`;
      const kept = call.method === 'GET' ? cache?.find(key) : undefined;
      const headers = { ...request.headers, ...(kept && { 'if-none-match': etagIn(kept.headers) ?? '' }) };
      try {
        const answer = await send({ ...request, headers, credential: header, attempt });
        if (kept !== undefined && answer.status === 304) return copyOf(kept);
        if (call.method === 'GET') cache?.keep(key, answer);
        return answer;
      } catch (error) {
        if (refused !== undefined || credential?.isRenewable !== true || !isStatus(error, 401)) throw error;
        refused = header;
        return attemptOnce(attempt);
      }
    };

    const run = async (attempt: number): Promise<Answer> => {
      try {
        return await attemptOnce(attempt);
      } catch (error) {
        if (attempt === 1 || !isOwn || call.settle === undefined || isTransient(error, call.repeat)) throw error;
        isOwn = false;
        return call.settle(error);
      }
    };

    signal.throwIfAborted();
    await pacer?.turn(signal);
    return retrying(settings.retry, signal, run, (error) => isOwn && isTransient(error, call.repeat));
  };

  return (call) => withSignals([settings.signal, call.signal], undefined, (either) => make(call, either));
}

/** Called once for each call, so that every attempt sends the same request. */
function requestOf({ method, path, input, headers, isEmpty, timeoutMs }: Call): OutgoingRequest {
  return {
    ...{ method, path, isEmpty, timeoutMs },
    headers: { ...(input !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: jsonOf(input),
  };
}

/** @returns Undefined if there is no input. @throws {TypeError} A number is not finite: JSON would turn it into null. */
function jsonOf(input: unknown): string | undefined {
  return JSON.stringify(input, (name, value: unknown) => {
    if (typeof value !== 'number' || Number.isFinite(value)) return value;
    throw new TypeError(`"${name}" is ${String(value)}, which JSON does not have.`);
  });
}

/**
 * Whether a retry may help and is safe: not after a 500 or 4xx, except 429 and `idempotency_key_in_flight`.
 * Seed specification §8
 */
export function isTransient(error: unknown, repeat: Call['repeat'] = 'safe'): boolean {
  if (repeat === 'never') return false;
  if (wasRefused(error) || isCode(error, 'idempotency_key_in_flight')) return true;
  return repeat === 'safe' && (error instanceof ItemsNetworkError || isStatus(error, 502) || isStatus(error, 504));
}

/** The caller may modify its result, so each caller gets a copy. */
function copyOf(kept: Answer): Answer {
  return { ...kept, body: JSON.parse(kept.text) as Answer['body'] };
}
