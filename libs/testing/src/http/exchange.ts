import type { Answer, Header } from './answer.js';

export interface SentRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

export interface Exchange {
  readonly request: SentRequest;
  readonly answer: Answer;
}

/** Receives every exchange of a client; its errors fail the request. */
export type ExchangeObserver = (exchange: Exchange) => void;
