import { isIP } from 'node:net';

import type { RateLimit } from '@items/conventions';
import { LOG_LEVELS, type LogLevel } from '@items/logging';
import { urlsOf, type DatabaseConfig } from '@items/store';

import { ConfigError } from './config.js';

const POSTGRES = /^postgres(ql)?:\/\/./;
const MAX_DAYS = 3650;

/** One variable of the environment, trimmed; undefined where it is unset or empty. */
export interface Variable {
  readonly name: string;
  readonly value: string | undefined;
}

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

/** 0 for any free port; undefined for none. */
export function port(variable: Variable): number | undefined {
  return variable.value === undefined ? undefined : wholeNumber(variable, { min: 0, max: 65_535, fallback: 9464 });
}

/** Days, perhaps with a fraction: more than none, at most ten years. */
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

export function logLevel({ name, value = 'info' }: Variable): LogLevel {
  const known = LOG_LEVELS.find((level) => level === value);
  if (known === undefined) throw new ConfigError(name, `must be one of ${LOG_LEVELS.join(', ')}`, 'warn');
  return known;
}

/** Whole seconds, or `off`. */
export function maintenance({ name, value = 'off' }: Variable): number | undefined {
  if (value === 'off') return undefined;
  if (!/^[1-9]\d{0,4}$/.test(value))
    throw new ConfigError(name, 'must be "off", or the seconds after which clients may come again, up to 99999', '300');
  return Number(value);
}

/** `requests/seconds`. SPEC §8 */
export function rateLimit({ name, value }: Variable, fallback: RateLimit): RateLimit {
  if (value === undefined) return fallback;
  const [, requests, seconds] = (/^(\d{1,12})\/(\d{1,8})$/.exec(value) ?? []).map(Number);
  if (!requests || !seconds) {
    const example = `${String(fallback.requests)}/${String(fallback.seconds)}`;
    throw new ConfigError(name, 'must be requests/seconds, two whole numbers above 0', example);
  }
  return { requests, seconds };
}

/** @param migrations where they run, past a pooler; only for PostgreSQL. */
export function database(
  { name, value = 'sqlite:./data/items.sqlite' }: Variable,
  migrations: Variable,
): DatabaseConfig {
  if (POSTGRES.test(value)) {
    const url = postgres({ name, value });
    return { dialect: 'postgres', url, ...(migrations.value !== undefined && { migrationUrl: postgres(migrations) }) };
  }
  if (migrations.value !== undefined)
    throw new ConfigError(migrations.name, `is only for PostgreSQL, and ${name} is not`, '""');
  const file = /^sqlite:(?:\/\/)?(.+)$/.exec(value)?.[1];
  // An in-memory database is private to its connection, and reads have a connection of their own.
  if (file === undefined || file.includes(':memory:')) {
    throw new ConfigError(name, 'must be sqlite:<file> or postgres://<…>', 'sqlite:./data/items.sqlite');
  }
  return { dialect: 'sqlite', file };
}

/** One host or several, and the attribute that a session must have: to be writable, which it must be in any case. */
function postgres({ name, value = '' }: Variable): string {
  const urls = POSTGRES.test(value) ? urlsOf(value) : [];
  if (urls.length === 0 || !urls.every((one) => URL.canParse(one)))
    throw new ConfigError(name, 'is not a valid URL of PostgreSQL', 'postgres://user:password@host:5432/items');
  const wanted = /[?&]target_session_attrs=([^&#]*)/.exec(value)?.[1] ?? 'read-write';
  if (!['read-write', 'primary', 'any'].includes(wanted))
    throw new ConfigError(
      name,
      'must have target_session_attrs=read-write, because the service writes',
      'postgres://user:password@host1,host2/items?target_session_attrs=read-write',
    );
  return value;
}

export function url({ name, value }: Variable, protocols: readonly string[], example: string): string | undefined {
  if (value === undefined) return undefined;
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (parsed === undefined || !protocols.includes(parsed.protocol) || parsed.hostname === '') {
    throw new ConfigError(
      name,
      `must be a URL that starts with ${protocols.map((p) => `${p}//`).join(' or ')}`,
      example,
    );
  }
  return withoutSlashesAtEnd(value);
}

/** Where the service is reached: a path may follow the host, and nothing else. RFC 8414 §2 */
export function publicAddress(variable: Variable): string | undefined {
  const example = 'https://api.example.com';
  const address = url(variable, ['http:', 'https:'], example);
  if (address !== undefined && /[?#]|^[^/]*\/\/[^/]*@/.test(address)) {
    throw new ConfigError(variable.name, 'must have no user, no query and no fragment', example);
  }
  return address;
}

/** A Redis, and perhaps the number of one of its databases. */
export function redis(variable: Variable): string | undefined {
  const example = 'redis://127.0.0.1:6379';
  const address = url(variable, ['redis:', 'rediss:'], example);
  if (address === undefined) return undefined;
  const { pathname, searchParams } = new URL(address);
  const numbers = [pathname.slice(1), searchParams.get('db') ?? ''];
  if (!numbers.every((number) => /^\d{0,9}$/.test(number))) {
    throw new ConfigError(variable.name, 'must name its database by a number', `${example}/0`);
  }
  return address;
}

export function list({ value = '' }: Variable): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Origins exactly as browsers send them. RFC 6454 §6.2 */
export function origins(variable: Variable): readonly string[] {
  for (const origin of list(variable)) {
    const valid = /^https?:/.test(origin) && URL.canParse(origin) && new URL(origin).origin === origin;
    if (!valid) {
      const problem = 'must list origins: a scheme, a host in lower case and perhaps a port, without a path';
      throw new ConfigError(variable.name, problem, 'https://app.example.com,http://localhost:5173');
    }
  }
  return list(variable);
}

export function proxies(variable: Variable): readonly string[] {
  for (const proxy of list(variable)) {
    const [address = '', bits, ...rest] = proxy.split('/');
    const family = isIP(address);
    const validBits = bits === undefined || (/^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
    if (family === 0 || !validBits || rest.length > 0) {
      throw new ConfigError(variable.name, 'must list IP addresses or CIDR blocks', '10.0.0.0/8,192.168.1.7');
    }
  }
  return list(variable);
}

export function currency({ name, value = 'USD' }: Variable): string {
  if (!Intl.supportedValuesOf('currency').includes(value)) {
    throw new ConfigError(name, 'must be an ISO 4217 currency code in upper case', 'EUR');
  }
  return value;
}

/** A secret, of which only its length is judged; never part of a message. */
export function secret({ name, value }: Variable, minLength: number): string | undefined {
  if (value !== undefined && !new RegExp(`^[\\x21-\\x7e]{${String(minLength)},}$`).test(value)) {
    const problem = `must be at least ${String(minLength)} visible ASCII characters without spaces`;
    throw new ConfigError(name, problem, '"$(openssl rand -hex 32)"');
  }
  return value;
}

function withoutSlashesAtEnd(text: string): string {
  let end = text.length;
  while (text.charAt(end - 1) === '/') end -= 1;
  return text.slice(0, end);
}
