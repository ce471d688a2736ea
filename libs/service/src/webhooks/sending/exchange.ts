import type { Client, Dispatcher } from 'undici';

import { AttemptFailure } from './attempt.js';

/** Maximum number of bytes read of a response before the connection is closed. */
const MAX_RESPONSE_BYTES = 16 * 1024;
/** Maximum number of 1xx responses before the connection is closed. */
const MAX_INFORMATIONAL_RESPONSES = 10;

type ResponseListener = (statusCode: number, retryAfter: string | undefined) => void;

/** Discards the response's body without a stream, because a stream would cost as much as the request. */
export function exchange(
  client: Client,
  request: Dispatcher.DispatchOptions,
  onResponse: ResponseListener,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let informational = 0;
    let bytes = 0;
    client.dispatch(request, {
      // undici detects the kind of handler by the presence of this function.
      onRequestStart: () => undefined,
      onResponseStart: (_controller, statusCode, headers) => {
        if (statusCode >= 200) return onResponse(statusCode, headers['retry-after']?.toString());
        informational += 1;
        if (informational <= MAX_INFORMATIONAL_RESPONSES) return;
        const error = new AttemptFailure('connect', 'There were too many informational (1xx) responses.');
        reject(error);
        void client.destroy(error);
      },
      onResponseData: (_controller, chunk) => {
        bytes += chunk.length;
        if (bytes <= MAX_RESPONSE_BYTES) return;
        resolve();
        void client.destroy();
      },
      onResponseEnd: () => resolve(),
      onResponseError: (_controller, error) => reject(error),
    });
  });
}
