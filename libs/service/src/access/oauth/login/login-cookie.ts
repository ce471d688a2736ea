import type { FastifyRequest } from 'fastify';
import type { OauthProvider } from '../provider/oauth-provider.js';

const UID = /^[\w-]{1,64}$/;
const VALUE = /^[\w-]{43}$/;
/** Upper limit. The server ends the login earlier (`INTERACTION_SECONDS`). */
const LIFETIME_SECONDS = 3600;

type Provider = Pick<OauthProvider, 'base' | 'basePath' | 'cookies'>;
export type CookiePath = '/oauth/login' | `/oauth/interaction/${string}`;

/**
 * Binds a login at the identity provider to the browser that started it. Each page of a browser has its own cookie.
 * @param seconds 0 deletes the cookie.
 */
export function loginCookie(
  { base, basePath, cookies }: Provider,
  path: CookiePath,
  interaction: string,
  value: string,
  seconds = LIFETIME_SECONDS,
): string {
  const name = cookies.providerPrefix + interaction;
  const secure = base.protocol === 'https:' ? '; Secure' : '';
  return `${name}=${value}; Path=${basePath}${path}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secure}`;
}

/** @returns The token of the login. Undefined for a missing or malformed cookie. */
export function readLoginCookie(
  { cookies: { providerPrefix } }: Provider,
  { raw }: FastifyRequest,
  interaction: string,
): string | undefined {
  if (!UID.test(interaction)) return undefined;
  const name = `${providerPrefix}${interaction}=`;
  const cookies = (raw.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}
