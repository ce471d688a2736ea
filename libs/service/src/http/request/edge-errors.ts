import { ApiError } from '@items/conventions';

/** The response 400 to an `Api-Version` that the service does not support. SPEC §9 */
export class UnsupportedVersionError extends ApiError {
  override readonly status = 400;
  override readonly code = 'unsupported_api_version';

  constructor(supported: readonly string[]) {
    super(`This Api-Version is not supported; supported: ${supported.join(', ')}.`);
  }
}

/** The response 400 to an `Api-Version` that the service no longer supports. SPEC §9 */
export class EndedVersionError extends ApiError {
  override readonly status = 400;
  override readonly code = 'unsupported_api_version';

  /** @param end its last day, and the path of the page that lists what has changed since. */
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
