import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

import type { ApiError } from '@items/conventions';

import type { HeadCheck } from './request/request-head.js';

export const HEAD_CHECK = Symbol('result of validateHead');
export const REFUSAL = Symbol('error of overload');
export const QUEUED_AT = Symbol('time of arrival in the queue');
export const COUNTED_BY = Symbol('queue of a started request');
export const RESPONSE = Symbol('response');
export const HANDSHAKE = Symbol('WebSocket handshake');
export const FAIRNESS_KEY = Symbol('fairness key');
export const CLIENT_ADDRESS = Symbol('client address behind a trusted proxy');
export const CLIENT_PAGE = Symbol('page of a client');
const PAUSED_MS = Symbol('time spent waiting for events');
const PAUSED_SINCE = Symbol('waiting for an event since');

interface Queue {
  leave(message: ReceivedRequest): void;
  readonly fairnessKeys: {
    recognize(message: ReceivedRequest, fairnessKey: string | undefined): boolean;
  };
  waitForSlot(response: ServerResponse, mayBeRefused: boolean, unmeasuredMs: number): Promise<void> | undefined;
}

interface Handshake {
  readonly socket: Socket;
  /** Bytes that came after the request. */
  readonly head: Buffer;
  readonly response: ServerResponse;
  /** Closes the connection after a refusal. */
  readonly end: () => void;
}

/** A browser page of OAuth clients. It may read the responses to requests of these clients. */
interface ClientPage {
  /** Clients with a redirect URI of the page's origin. */
  readonly clientIds: ReadonlySet<string>;
  readonly headers: Readonly<Record<string, string>>;
}

export type ReceivedRequest = IncomingMessage & {
  [HEAD_CHECK]?: HeadCheck;
  [REFUSAL]?: ApiError;
  [QUEUED_AT]?: number | undefined;
  [COUNTED_BY]?: Queue | undefined;
  [RESPONSE]?: ServerResponse;
  [HANDSHAKE]?: Handshake | undefined;
  [FAIRNESS_KEY]?: string;
  [CLIENT_ADDRESS]?: string;
  [CLIENT_PAGE]?: ClientPage;
  [PAUSED_MS]?: number;
  [PAUSED_SINCE]?: number | undefined;
};

/** True from the start of a request to its end, except while it waits for an event. */
export function isInProgress(message: ReceivedRequest): boolean {
  return message[COUNTED_BY] !== undefined;
}

/**
 * Stops counting a request as in progress while it waits for an event. @returns a function that ends the wait.
 */
export function pauseForEvent(message: ReceivedRequest): () => void {
  message[COUNTED_BY]?.leave(message);
  message[PAUSED_SINCE] = performance.now();
  return () => {
    message[PAUSED_MS] = pausedMs(message);
    message[PAUSED_SINCE] = undefined;
  };
}

export function pausedMs(message: ReceivedRequest): number {
  const { [PAUSED_MS]: before = 0, [PAUSED_SINCE]: since } = message;
  return since === undefined ? before : before + performance.now() - since;
}

/**
 * Waits for a slot of the request queue, before the next part of long work such as parsing a long body. Users that have
 * used less of the main thread go first.
 * @param unmeasuredMs main-thread time to charge in addition to the measured time.
 * @returns undefined if the request may continue immediately.
 * @throws {ServiceUnavailableError} 503 `overloaded`: the request has waited too long, and its response has not begun.
 */
export function waitForSlot(message: ReceivedRequest, unmeasuredMs = 0): Promise<void> | undefined {
  const { [COUNTED_BY]: queue, [RESPONSE]: response } = message;
  return response && queue?.waitForSlot(response, !response.headersSent, unmeasuredMs);
}
