import type { RateLimit } from '@items/conventions';
import { ConfigError } from './config-error.js';
import type { Variable } from './variable.js';

const MAX_DAYS = 3650;
const MIN_SECRET_LENGTH = 32;

/** @throws {ConfigError} the value is invalid, as in all functions of this file. */
export function wholeNumber(variable: Variable, range: { min: number; max: number; fallback: number }): number {
  const { name, value } = variable;
  if (value === undefined) return range.fallback;
  const number = Number(value);
  if (!/^\d{1,15}$/.test(value) || number < range.min || number > range.max) {
    throw new ConfigError(
      name,
      `must be a whole number from ${String(range.min)} to ${String(range.max)}`,
      String(range.fallback),
    );
  }
  return number;
}

/** Returns 0 for any free port; undefined if unset. */
export function port(variable: Variable, example: number): number | undefined {
  return variable.value === undefined ? undefined : wholeNumber(variable, { min: 0, max: 65_535, fallback: example });
}

export function differentPorts(ports: Readonly<Record<string, number | undefined>>): void {
  const taken = new Map<number, string>();
  for (const [name, port = 0] of Object.entries(ports)) {
    const other = taken.get(port);
    if (other !== undefined) throw new ConfigError(name, `must be another port than ${other}`, String(freeOf(taken)));
    if (port !== 0) taken.set(port, name);
  }
}

function freeOf(taken: ReadonlyMap<number, string>): number {
  const above = Math.max(...taken.keys()) + 1;
  return above <= 65_535 ? above : Math.min(...taken.keys()) - 1;
}

/** Accepts a number above 0, with an optional fraction, up to ten years. */
export function days({ name, value }: Variable, fallback: number): number {
  if (value === undefined) return fallback;
  const days = Number(value);
  if (!/^\d{1,4}(?:\.\d{1,30})?$/.test(value) || days <= 0 || days > MAX_DAYS) {
    throw new ConfigError(name, `must be a number of days above 0, at most ${String(MAX_DAYS)}`, String(fallback));
  }
  return days;
}

export function flag({ name, value }: Variable, fallback: boolean): boolean {
  if (value === undefined) return fallback;
  const known = { true: true, '1': true, on: true, false: false, '0': false, off: false }[value.toLowerCase()];
  if (known === undefined) throw new ConfigError(name, 'must be "true" or "false"', 'true');
  return known;
}

export function oneOf<T extends string>(
  { name, value }: Variable,
  { words, fallback, example }: { words: readonly T[]; fallback: T; example: T },
): T {
  const known = words.find((word) => word === (value ?? fallback));
  if (known === undefined) throw new ConfigError(name, `must be one of ${words.join(', ')}`, example);
  return known;
}

/** Accepts seconds above 0, with an optional fraction. @returns milliseconds. */
export function duration({ name, value }: Variable, { max, fallback }: { max: number; fallback: number }): number {
  const delay = value === undefined ? fallback : secondsOf(value, max);
  if (delay === undefined)
    throw new ConfigError(name, `must be a number of seconds, at most ${String(max)}`, String(fallback));
  return delay * 1000;
}

/** @param bounds `count`: maximum number of durations. @returns milliseconds. */
export function durations(
  variable: Variable,
  { max, count, fallback, example }: { max: number; count: number; fallback: readonly number[]; example: string },
): readonly number[] {
  const delays = variable.value === undefined ? fallback : list(variable).map((text) => secondsOf(text, max));
  if (delays.length > count || delays.some((delay) => delay === undefined)) {
    const problem = `must be at most ${String(count)} numbers of seconds, separated by commas`;
    throw new ConfigError(variable.name, problem, example);
  }
  return delays.map((delay) => (delay ?? 0) * 1000);
}

function secondsOf(text: string, max: number): number | undefined {
  const number = Number(text);
  return /^\d{1,7}(?:\.\d{1,9})?$/.test(text) && number > 0 && number <= max ? number : undefined;
}

export function retryAfterOrOff({ name, value = 'off' }: Variable): number | undefined {
  if (value === 'off') return undefined;
  if (!/^[1-9]\d{0,4}$/.test(value))
    throw new ConfigError(name, 'must be "off", or the seconds of Retry-After, up to 99999', '300');
  return Number(value);
}

export function rateLimit({ name, value }: Variable, fallback: RateLimit): RateLimit {
  if (value === undefined) return fallback;
  const [, requests, seconds] = (/^(\d{1,12})\/(\d{1,8})$/.exec(value) ?? []).map(Number);
  if (!requests || !seconds) {
    const example = `${String(fallback.requests)}/${String(fallback.seconds)}`;
    throw new ConfigError(name, 'must be requests/seconds, two whole numbers above 0', example);
  }
  return { requests, seconds };
}

export function list({ value = '' }: Variable): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

export const AUTH_METHODS = ['api-key', 'basic', 'bearer'] as const;
export type AuthMethod = (typeof AUTH_METHODS)[number];

export function authMethods(variable: Variable): readonly AuthMethod[] {
  if (variable.value === undefined) return AUTH_METHODS;
  const named = list(variable);
  const isKnown = named.every((name) => (AUTH_METHODS as readonly string[]).includes(name));
  if (named.length === 0 || !isKnown) {
    const problem = `must list some of ${AUTH_METHODS.join(', ')}, separated by commas`;
    throw new ConfigError(variable.name, problem, 'api-key,bearer');
  }
  return AUTH_METHODS.filter((method) => named.includes(method));
}

/** A lone `*` would allow every header. RFC 9110 §5.1 */
export function headerNames(variable: Variable): readonly string[] {
  const names = list(variable);
  if (names.every((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name) && name !== '*')) return names;
  throw new ConfigError(variable.name, 'must list names of headers, separated by commas', 'X-Tenant,X-Device');
}

export function currency({ name, value }: Variable, fallback: string): string {
  if (value === undefined) return fallback;
  if (!Intl.supportedValuesOf('currency').includes(value)) {
    throw new ConfigError(name, 'must be an ISO 4217 currency code in upper case', 'EUR');
  }
  return value;
}

/** Quotation marks at the ends would be part of the key, and no client would send them. */
export function adminKey(variable: Variable): string | undefined {
  const { name, value = '' } = variable;
  if (!/^["']|["']$/.test(value)) return secret(variable);
  const problem = 'must not begin or end with a quotation mark, which would be part of the key';
  throw new ConfigError(name, problem, '$(openssl rand -hex 32)');
}

/** Checks only length and characters. No message contains the secret. */
export function secret({ name, value }: Variable): string | undefined {
  if (value !== undefined && !new RegExp(`^[\\x21-\\x7e]{${String(MIN_SECRET_LENGTH)},}$`).test(value)) {
    const problem = `must be at least ${String(MIN_SECRET_LENGTH)} visible ASCII characters without spaces`;
    throw new ConfigError(name, problem, '"$(openssl rand -hex 32)"');
  }
  return value;
}

export function secrets(variable: Variable): readonly string[] {
  return list(variable).map((value) => secret({ name: variable.name, value }) ?? value);
}

/** Default: off if `BASE_URL` has a path, because other services may share the origin. @throws {ConfigError} */
export function isConsoleOn(variable: Variable, baseUrl: string): boolean {
  const fallback = new URL(baseUrl).pathname === '/' ? 'on' : 'off';
  return oneOf(variable, { words: ['on', 'off'], fallback, example: 'off' }) === 'on';
}

export function color({ name, value }: Variable): string | undefined {
  if (value !== undefined && !/^#[0-9a-f]{6}$/i.test(value)) {
    throw new ConfigError(name, 'must be a colour of six hexadecimal digits', '#4f46e5');
  }
  return value;
}
