/**
 * What is wrong with a request that was to be a webhook:
 * - `missing_header`: one of `webhook-id`, `webhook-timestamp`, `webhook-signature` is absent, or cannot be read;
 * - `too_old`, `too_new`: its time stamp is more than 5 minutes away;
 * - `wrong_signature`: none of the secrets has signed these bytes;
 * - `invalid_body`: it is signed, and no event.
 */
export type WebhookVerificationCode = 'missing_header' | 'too_old' | 'too_new' | 'wrong_signature' | 'invalid_body';

/** A request that is not to be trusted: answer it with 400. The message shows nothing that is secret. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';

  constructor(
    readonly code: WebhookVerificationCode,
    message: string,
  ) {
    super(message);
  }
}
