import type { JsonObject } from '../errors/error-of-answer.js';
import type { CredentialHeader } from './credential.js';

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Relative to the base URL, without a leading slash, including the query. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credential?: CredentialHeader | undefined;
  readonly body?: string | undefined;
  /** Ignore the response body of a success; it may be absent. */
  readonly isEmpty?: boolean | undefined;
  /** Number of the attempt, from 1 (default). */
  readonly attempt?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onAnswer?: ((headers: Headers) => void) | undefined;
}

/** A success, or a 304 if `If-None-Match` was sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `{}` after a 304, or if the request set `isEmpty`. */
  readonly body: JsonObject;
}

/**
 * Sends a request once.
 * @throws {ItemsApiError} The response is neither a success nor an expected 304.
 * @throws {ItemsNetworkError} The response is missing or incomplete.
 * @throws The abort reason of the signal.
 */
export type Send = (request: OutgoingRequest) => Promise<Answer>;
