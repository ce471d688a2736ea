import { MalformedRequestError } from '@items/conventions';
import type { FastifyRequest } from 'fastify';

/** The response 400 to a form from another site, or from an address of this service other than `BASE_URL`. */
export class ForeignFormError extends MalformedRequestError {
  constructor() {
    super('This form was sent from another site or address.');
  }
}

/**
 * Refuses a form that another site made the browser send (CSRF). Further protection: browsers do not send the cookie
 * with such a form, and only this browser knows the address of the form.
 * @param origin of the base URL. An origin that matches `Host` is accepted, too.
 * @throws {ForeignFormError} 400
 * @see Fetch standard, `Origin` and `Sec-Fetch-Site`
 */
export function requireOwnForm({ raw: { headers } }: FastifyRequest, origin: string): void {
  const { origin: sentFrom, host } = headers;
  const site = headers['sec-fetch-site'];
  const isOwn = sentFrom === undefined || sentFrom === origin || hostOf(sentFrom) === host;
  if (!isOwn || site === 'cross-site' || site === 'same-site') throw new ForeignFormError();
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined;
}
