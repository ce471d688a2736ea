/** A login that did not succeed. */
export class LoginError extends Error {
  override readonly name = 'LoginError';
  /**
   * `wrong_state`: this login was not begun in this browser, or was used before. `wrong_issuer`: another
   * server wrote it. `no_answer`: the service was not reached. Otherwise the error of the response, such as
   * `access_denied`. RFC 6749 §4.1.2.1, §5.2
   */
  readonly code: string;

  constructor(code: string, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
