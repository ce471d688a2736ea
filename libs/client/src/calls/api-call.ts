import type { Answer } from '../http/outgoing-request.js';
import { etagIn, rememberEtag } from '../http/etag-of.js';

/** The result of a call, with its response. */
export interface WithResponse<T> {
  readonly data: T;
  /** Undefined if the response had none. Also valid for a copy of `data`. RFC 9110 §8.8.3 */
  readonly etag: string | undefined;
  /** If the call sent several requests, the last response. */
  readonly response: { readonly status: number; readonly headers: Headers };
}

/** A promise of the result of a call. */
export interface ApiCall<T> extends Promise<T> {
  /** Returns the result with its `ETag`, status and headers. Sends no further request. */
  withResponse(): Promise<WithResponse<T>>;
}

/**
 * Creates a call that sends one or several requests.
 * @param ask sends them; the call rejects with its error.
 * @param read converts the body to the result.
 * @throws if the body has an unexpected form.
 */
export function apiCall<T>(ask: () => Promise<Answer>, read = (body: Answer['body']): T => body as T): ApiCall<T> {
  const run = async (): Promise<WithResponse<T>> => {
    const { status, headers, body } = await ask();
    const data = read(body);
    const etag = etagIn(headers);
    rememberEtag(body, etag);
    return { data, etag, response: { status, headers } };
  };
  const whole = run();
  const call = whole.then(({ data }) => data);
  const withResponse = (): typeof whole => {
    // Only one of the two promises is used: the other one must not cause an unhandled rejection.
    call.catch(() => undefined);
    return whole;
  };
  return Object.assign(call, { withResponse });
}

export function emptyCall(ask: () => Promise<Answer>): ApiCall<void> {
  return apiCall(ask, () => undefined);
}
