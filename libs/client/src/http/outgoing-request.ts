import type { JsonObject } from '../errors/json-object.js';
import type { CredentialHeader } from './credential.js';

/** One request, sent once. */
export interface OutgoingRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below the base URL, with its query, without a slash before it. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly credential?: CredentialHeader | undefined;
  readonly body?: string | undefined;
  /** The body of a success is of no interest, and may be missing. */
  readonly isEmpty?: boolean | undefined;
  /** 1-based; default 1. */
  readonly attempt?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sees the headers of any answer. */
  readonly onAnswer?: ((headers: Headers) => void) | undefined;
}

/** A success, or a 304 where `If-None-Match` was sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Empty where the request said so, and for 304. */
  readonly body: JsonObject;
}

/**
 * Sends a request once.
 * @throws {ItemsApiError} any other answer. @throws {ItemsNetworkError} no answer, or not the whole. @throws the signal's reason.
 */
export type Send = (request: OutgoingRequest) => Promise<Answer>;
