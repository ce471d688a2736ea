export class LoginError extends Error {
  override readonly name = 'LoginError';
  /**
   * `wrong_state`: the login was not started in this browser, or was already finished. `wrong_issuer`: the response
   * comes from another server. `no_answer`: the service could not be reached. Otherwise the error code of the response,
   * such as `access_denied`. RFC 6749 §4.1.2.1, §5.2
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
