import { ApiError } from '@items/conventions';

/** 400: an unknown `Api-Version`. SPEC §9 */
export class UnsupportedVersionError extends ApiError {
  override readonly status = 400;
  override readonly code = 'unsupported_api_version';

  constructor(supported: readonly string[]) {
    super(`This Api-Version is not supported; supported: ${supported.join(', ')}.`);
  }
}

/** 400: an `Api-Version` that has ended. SPEC §9 */
export class EndedVersionError extends ApiError {
  override readonly status = 400;
  override readonly code = 'unsupported_api_version';

  /** @param end `on`: first day of refusal. `page`: path of the page that lists later changes. */
  constructor(supported: readonly string[], { on, page }: { readonly on: string; readonly page: string }) {
    super(`This Api-Version ended on ${on}; supported: ${supported.join(', ')}. What has changed since: ${page}.`);
  }
}

/** The response 417 to an expectation other than `100-continue`. RFC 9110 §10.1.1 */
export class ExpectationFailedError extends ApiError {
  override readonly status = 417;
  override readonly code = 'expectation_failed';

  constructor() {
    super('The only value of Expect that this service supports is "100-continue".');
  }
}
