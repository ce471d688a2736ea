import type { Answer } from '../http/outgoing-request.js';
import { etagIn, rememberEtag } from '../http/etag-of.js';

export interface WithResponse<T> {
  readonly data: T;
  /** `ETag` of the response, if any. Unlike `etagOf`, it is available for a copy of `data` too. RFC 9110 §8.8.3 */
  readonly etag: string | undefined;
  /** The last response, if the call sent several requests. */
  readonly response: { readonly status: number; readonly headers: Headers };
}

export interface ApiCall<T> extends Promise<T> {
  /** Returns the result with its `ETag`, status and headers. Sends no further request. */
  withResponse(): Promise<WithResponse<T>>;
}

/**
 * @param request Sends the requests of the call.
 * @param read Converts the body to the result; throws if the body has an unexpected form.
 */
export function apiCall<T>(request: () => Promise<Answer>, read = (body: Answer['body']): T => body as T): ApiCall<T> {
  const run = async (): Promise<WithResponse<T>> => {
    const { status, headers, body } = await request();
    const data = read(body);
    const etag = etagIn(headers);
    rememberEtag(body, etag);
    return { data, etag, response: { status, headers } };
  };
  const whole = run();
  const call = whole.then(({ data }) => data);
  const withResponse = (): typeof whole => {
    // The caller awaits only `whole`, so a rejection of `call` would be unhandled.
    call.catch(() => undefined);
    return whole;
  };
  return Object.assign(call, { withResponse });
}

export function emptyCall(request: () => Promise<Answer>): ApiCall<void> {
  return apiCall(request, () => undefined);
}
