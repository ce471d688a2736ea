import { ApiError } from '@items/conventions';

/** 400: a token request contains an unknown scope. RFC 6749 §5.2 */
export class InvalidScopeError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_scope';

  constructor() {
    super('A requested scope does not exist.');
  }
}
