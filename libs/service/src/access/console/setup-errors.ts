import { ApiError, UnauthorizedError } from '@items/conventions';

/** 410: a user exists, so there is nothing to set up. */
export class SetupDoneError extends ApiError {
  override readonly status = 410;
  override readonly code = 'setup_done';

  constructor() {
    super('A user exists already. Sign in, or ask an administrator for a user.');
  }
}

/** 401. Browsers ask for a password if `Basic` is offered, so it is not. */
export function wrongSetupToken(): UnauthorizedError {
  const sentence = 'The link is not valid, or has expired. The operator can print another: npm run admin -- setup-link';
  return new UnauthorizedError(sentence, ['Bearer realm="items"']);
}
