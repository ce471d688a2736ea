import { ApiError } from '@items/conventions';
import type { UrlRefusal } from './judge-url.js';

/** 422: events cannot be sent to this URL. SPEC §6.2 */
export class WebhookUrlError extends ApiError {
  override readonly status = 422;
  override readonly code: UrlRefusal['code'];

  constructor({ code, message }: UrlRefusal) {
    super(message, { details: [{ field: 'url', code, message }] });
    this.code = code;
  }
}
