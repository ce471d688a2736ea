import { ApiError, MalformedRequestError, ServiceUnavailableError } from '@items/conventions';

/** 400: what the browser brings does not belong to a login that it began. */
export function staleLogin(): MalformedRequestError {
  return new MalformedRequestError('The login session is unknown or expired, was used, or belongs to another browser.');
}

/** 400: the identity provider, or the person there, has ended the login. */
export function refusedByProvider(): MalformedRequestError {
  return new MalformedRequestError('The identity provider did not log you in.');
}

/** 503: the identity provider is away, late or does not do as it should. The log says why. */
export function providerFailed(cause: unknown): ServiceUnavailableError {
  const message = 'The identity provider did not answer as it should.';
  return new ServiceUnavailableError('identity_provider_unavailable', message, { cause });
}

/** 403: the identity provider knows the person, and this service does not let them in. */
export class LoginRefusedError extends ApiError {
  override readonly status = 403;
  override readonly code = 'login_refused';

  constructor() {
    super('Your account of the identity provider may not use this service. Ask its operator for access.');
  }
}
