import type { Client, Dispatcher } from 'undici';

import { AttemptFailure } from './attempt.js';

/** So much of an answer is read; with more, its connection ends. */
const ANSWER_BYTES = 16 * 1024;
/** Answers before the answer (1xx) that are passed over; with more, the connection ends. */
const INFORMATIONAL_ANSWERS = 10;

/** Hears the status and `Retry-After` of an answer as soon as they are there. */
type AnswerListener = (statusCode: number, retryAfter: string | undefined) => void;

/**
 * Sends a request, and reads its answer to the end, but not more than is read of one. What it holds is thrown away, so
 * that no stream is made of it: that would cost as much as the request.
 */
export function exchange(client: Client, request: Dispatcher.DispatchOptions, onAnswer: AnswerListener): Promise<void> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    let bytes = 0;
    client.dispatch(request, {
      onRequestStart: NOTHING,
      onResponseStart: (_controller, statusCode, headers) => {
        if (statusCode >= 200) return onAnswer(statusCode, headers['retry-after']?.toString());
        informational += 1;
        if (informational <= INFORMATIONAL_ANSWERS) return;
        const error = new AttemptFailure('connect', 'There were too many answers before the answer.');
        reject(error);
        void client.destroy(error);
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
        if (bytes <= ANSWER_BYTES) return;
        resolve();
        void client.destroy();
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}

/** undici takes a handler for one of this kind by it. */
const NOTHING = (): void => undefined;
