/**
 * - `missing_header`: one of `webhook-id`, `webhook-timestamp`, `webhook-signature` is absent or malformed;
 * - `too_old`, `too_new`: its timestamp differs from the clock by more than 5 minutes;
 * - `wrong_signature`: no secret matches the signature of these bytes;
 * - `invalid_body`: the signature is valid, but the body is not an event.
 */
export type WebhookVerificationCode = 'missing_header' | 'too_old' | 'too_new' | 'wrong_signature' | 'invalid_body';

/** A request that must not be trusted: respond with 400. The message contains no secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookVerificationCode,
    message: string,
  ) {
    super(message);
  }
}
