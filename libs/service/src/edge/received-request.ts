import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ApiError } from '@items/conventions';

import type { HeadVerdict } from './request-head.js';

export const VERDICT = Symbol('what its head is as HTTP');
export const REFUSAL = Symbol('why there is no room for it');
export const QUEUED_AT = Symbol('when it was queued');
export const COUNTED_BY = Symbol('the queue that counts it as under way');

/** As much of the queue of requests as a request needs once it has begun. */
interface Queue {
  leave(message: ReceivedRequest): void;
  again(response: ServerResponse, mayBeRefused: boolean): Promise<void> | undefined;
}

/** What the edge notes of a request on its way to the hooks. */
export type ReceivedRequest = IncomingMessage & {
  [VERDICT]?: HeadVerdict;
  [REFUSAL]?: ApiError;
  [QUEUED_AT]?: number | undefined;
  [COUNTED_BY]?: Queue | undefined;
};

/** Whether a request has begun, and is neither over nor resting. */
export function isUnderWay(message: ReceivedRequest): boolean {
  return message[COUNTED_BY] !== undefined;
}

/** Says that a request has nothing to do but to wait for an event: it no longer counts as under way. */
export function rest(message: ReceivedRequest): void {
  message[COUNTED_BY]?.leave(message);
}

/**
 * Another turn for a request that has much to do again, such as to judge a long body, or to write more of a long response:
 * requests of other credentials go first that have used less of the main thread.
 * @returns undefined where its turn is now.
 * @throws {ServiceUnavailableError} 503 `overloaded`: it has waited for too long, and its response has not begun.
 */
export function nextTurn(response: ServerResponse): Promise<void> | undefined {
  return (response.req as ReceivedRequest)[COUNTED_BY]?.again(response, !response.headersSent);
}
