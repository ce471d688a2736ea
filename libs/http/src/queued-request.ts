import type { IncomingMessage, ServerResponse } from 'node:http';

export const QUEUED_AT = Symbol('when it was queued');
export const REFUSED = Symbol('refused');
export const COUNTED_BY = Symbol('the queue that counts it as under way');

/** As much of the {@link RequestQueue} as a request needs once it has begun. */
interface Queue {
  leave(message: QueuedRequest): void;
  again(response: ServerResponse, mayBeRefused: boolean): Promise<void> | undefined;
}

/** What the {@link RequestQueue} notes of a request. */
export type QueuedRequest = IncomingMessage & {
  [QUEUED_AT]?: number;
  [REFUSED]?: true;
  [COUNTED_BY]?: Queue | undefined;
};

/** When a request arrived that had to wait for its turn; undefined for one that began at once. */
export function queuedAt(message: QueuedRequest): number | undefined {
  return message[QUEUED_AT];
}

/** Whether a request is to be answered 503 `overloaded`. */
export function isRefused(message: QueuedRequest): boolean {
  return message[REFUSED] === true;
}

/** Whether a request has begun, and is neither over nor resting. */
export function isUnderWay(message: QueuedRequest): boolean {
  return message[COUNTED_BY] !== undefined;
}

/** Says that a request has nothing to do but to wait for an event: it no longer counts as under way. */
export function rest(message: QueuedRequest): void {
  message[COUNTED_BY]?.leave(message);
}

/**
 * Another turn for a request that has much to do again, such as to judge a long body, or to write more of a long response:
 * requests of other credentials go first that have used less of the main thread.
 * @returns undefined where its turn is now.
 * @throws {ServiceUnavailableError} 503 `overloaded`: it has waited for too long, and its response has not begun.
 */
export function nextTurn(response: ServerResponse): Promise<void> | undefined {
  return (response.req as QueuedRequest)[COUNTED_BY]?.again(response, !response.headersSent);
}
