import { MalformedRequestError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

/** 400: the page of another site, or an address of this service that is not `BASE_URL`, has sent a form. */
export class ForeignFormError extends MalformedRequestError {
  constructor() {
    super('This form was sent by another site.');
  }
}

/**
 * Refuses a form that another site has made the browser send. Beside it stand the cookie, which browsers do not send
 * with such a form, and the address of the form itself, which only this browser knows.
 * @param origin of the base URL; the browser may also know the service by the name in its Host.
 * @throws {ForeignFormError} 400
 * @see Fetch standard, `Origin` and `Sec-Fetch-Site`
 */
export function requireOwnForm({ raw: { headers } }: FastifyRequest, origin: string): void {
  const { origin: sentFrom, host } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = sentFrom === undefined || sentFrom === origin || hostOf(sentFrom) === host;
  if (!isOwn || site === 'cross-site' || site === 'same-site') {
    throw new ForeignFormError();
  }
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
