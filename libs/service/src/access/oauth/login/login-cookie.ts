import type { FastifyRequest } from 'fastify';

import { basePathOf } from '../../../http/base-path.js';

const UID = /^[\w-]{1,64}$/;
const VALUE = /^[\w-]{43}$/;

export type CookiePath = '/oauth/login' | `/oauth/interaction/${string}`;

/**
 * Binds a login at the identity provider to the browser that started it. Each page of a browser has its own cookie.
 * @param prefix Start of the name of the cookie.
 * @param seconds 0 deletes the cookie.
 */
export function loginCookie(
  prefix: string,
  baseUrl: URL,
  path: CookiePath,
  interaction: string,
  value: string,
  seconds: number,
): string {
  const secure = baseUrl.protocol === 'https:' ? '; Secure' : '';
  const where = `${basePathOf(baseUrl)}${path}`;
  return `${prefix}${interaction}=${value}; Path=${where}; Max-Age=${String(seconds)}; HttpOnly; SameSite=Lax${secure}`;
}

export function loginCookieOf(prefix: string, { raw }: FastifyRequest, interaction: string): string | undefined {
  if (!UID.test(interaction)) return undefined;
  const name = `${prefix}${interaction}=`;
  const cookies = (raw.headers.cookie ?? '').split(';').map((cookie) => cookie.trim());
  const value = cookies.find((cookie) => cookie.startsWith(name))?.slice(name.length);
  return value !== undefined && VALUE.test(value) ? value : undefined;
}
