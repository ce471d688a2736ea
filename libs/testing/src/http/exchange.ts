import type { Answer, Header } from './answer.js';

/** A request as it was sent. */
export interface SentRequest {
  readonly method: string;
  /** Path and query, byte for byte. */
  readonly target: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | undefined;
}

/** One request and its answer. */
export interface Exchange {
  readonly request: SentRequest;
  readonly answer: Answer;
}

/** Looks at every exchange of a client; what it throws fails the request. */
export type ExchangeObserver = (exchange: Exchange) => void;
