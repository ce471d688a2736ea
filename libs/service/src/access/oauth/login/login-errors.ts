import { ApiError, MalformedRequestError, ServiceUnavailableError } from '@items/conventions';

/** 400: the request does not belong to a login that this browser started. */
export function staleLogin(): MalformedRequestError {
  return new MalformedRequestError('The login session is unknown or expired, was used, or belongs to another browser.');
}

/** 400: the identity provider, or the person there, has cancelled the login. */
export function refusedByProvider(): MalformedRequestError {
  return new MalformedRequestError('The identity provider did not log you in.');
}

/** 503: the identity provider is down, too slow or violates the protocol. The log contains the reason. */
export function providerFailed(cause: unknown): ServiceUnavailableError {
  const message = 'The identity provider did not answer as it should.';
  return new ServiceUnavailableError('identity_provider_unavailable', message, { cause });
}

/** 403: the identity provider has identified the person, but this service does not admit them. */
export class LoginRefusedError extends ApiError {
  override readonly status = 403;
  override readonly code = 'login_refused';

  constructor() {
    super('Your account of the identity provider may not use this service. Ask its operator for access.');
  }
}
