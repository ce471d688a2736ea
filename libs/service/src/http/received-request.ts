import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '@items/conventions';

import type { HeadVerdict } from './request/request-head.js';

export const VERDICT = Symbol('what its head is as HTTP');
export const REFUSAL = Symbol('why there is no room for it');
export const QUEUED_AT = Symbol('when it was queued');
export const COUNTED_BY = Symbol('the queue that counts it as under way');
export const RESPONSE = Symbol('its response');
export const FAIRNESS_KEY = Symbol('whose turns it takes');
export const CLIENT_ADDRESS = Symbol('address of the client behind a trusted proxy');
export const CLIENT_PAGE = Symbol('the page of clients that sent it');
const RESTED_MS = Symbol('how long it has rested');
const RESTS_SINCE = Symbol('since when it rests');

/** As much of the queue of requests as a request needs once it has begun. */
interface Queue {
  leave(message: ReceivedRequest): void;
  recognize(message: ReceivedRequest, fairnessKey: string | undefined): boolean;
  again(response: ServerResponse, mayBeRefused: boolean, unmeasuredMs: number): Promise<void> | undefined;
}

/** The page of a client, which may read the response if the request is of that client. */
interface ClientPage {
  /** Clients that have a redirect URI of its origin. */
  readonly clientIds: ReadonlySet<string>;
  /** CORS headers that let it read the response. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What the edge notes of a request on its way to the hooks. */
export type ReceivedRequest = IncomingMessage & {
  [VERDICT]?: HeadVerdict;
  [REFUSAL]?: ApiError;
  [QUEUED_AT]?: number | undefined;
  [COUNTED_BY]?: Queue | undefined;
  [RESPONSE]?: ServerResponse;
  [FAIRNESS_KEY]?: string;
  [CLIENT_ADDRESS]?: string;
  [CLIENT_PAGE]?: ClientPage;
  [RESTED_MS]?: number;
  [RESTS_SINCE]?: number | undefined;
};

/** Whether a request has begun, and is neither over nor resting. */
export function isUnderWay(message: ReceivedRequest): boolean {
  return message[COUNTED_BY] !== undefined;
}

/**
 * Says that a request has nothing to do but to wait for an event: it no longer counts as under way.
 * @returns ends the rest.
 */
export function rest(message: ReceivedRequest): () => void {
  message[COUNTED_BY]?.leave(message);
  message[RESTS_SINCE] = performance.now();
  return () => {
    message[RESTED_MS] = restedMs(message);
    message[RESTS_SINCE] = undefined;
  };
}

/** How long a request has rested until now. */
export function restedMs(message: ReceivedRequest): number {
  const { [RESTED_MS]: before = 0, [RESTS_SINCE]: since } = message;
  return since === undefined ? before : before + performance.now() - since;
}

/**
 * Another turn for a request that has much to do again, such as to judge a long body, or to write more of a long response:
 * requests of other credentials go first that have used less of the main thread.
 * @param unmeasuredMs time of the main thread that its next step takes, but that cannot be measured.
 * @returns undefined where its turn is now.
 * @throws {ServiceUnavailableError} 503 `overloaded`: it has waited for too long, and its response has not begun.
 */
export function nextTurn(message: ReceivedRequest, unmeasuredMs = 0): Promise<void> | undefined {
  const { [COUNTED_BY]: queue, [RESPONSE]: response } = message;
  return response && queue?.again(response, !response.headersSent, unmeasuredMs);
}
