import type { Answer } from '../http/outgoing-request.js';
import { etagIn, rememberEtag } from '../http/etag-of.js';

/** What a call returned, with the response that it came in. */
export interface WithResponse<T> {
  readonly data: T;
  /** Undefined where the response had none. Copies of `data` may be used with it. RFC 9110 §8.8.3 */
  readonly etag: string | undefined;
  /** The last response, where the call took several. */
  readonly response: { readonly status: number; readonly headers: Headers };
}

/** A call that is on its way: a promise of what it returns. */
export interface ApiCall<T> extends Promise<T> {
  /** The same call, with its `ETag`, status and headers; sends nothing more. */
  withResponse(): Promise<WithResponse<T>>;
}

/**
 * Makes a call of a request, or several.
 * @param ask what it throws, the call rejects with.
 * @param read what the call returns, of the body. @throws where the body is none that was expected.
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
    // Only the promise that is taken has to be handled.
    call.catch(() => undefined);
    return whole;
  };
  return Object.assign(call, { withResponse });
}

/** A call that returns nothing. */
export function emptyCall(ask: () => Promise<Answer>): ApiCall<void> {
  return apiCall(ask, () => undefined);
}
