import type { Client, Dispatcher } from 'undici';

import { AttemptFailure } from './attempt.js';

/** Maximum number of bytes read of a response; with more, the connection is closed. */
const ANSWER_BYTES = 16 * 1024;
/** Maximum number of 1xx responses; with more, the connection is closed. */
const INFORMATIONAL_ANSWERS = 10;

type AnswerListener = (statusCode: number, retryAfter: string | undefined) => void;

/** Discards the body of the response without a stream, which would cost as much as the request. */
export function exchange(client: Client, request: Dispatcher.DispatchOptions, onAnswer: AnswerListener): Promise<void> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    let bytes = 0;
    client.dispatch(request, {
      // undici detects the kind of handler by the presence of this function.
      onRequestStart: () => undefined,
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
