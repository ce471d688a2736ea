import { type IncomingHttpHeaders } from 'node:http';

/** `writer`, `reader`: the credentials of the command line; `anonymous`: none; `impostor`: an invalid one. */
export type Caller = 'writer' | 'reader' | 'anonymous' | 'impostor';

/**
 * A request with the names of the seed specification, `/items` and `name`. The run adds the credential, `User-Agent`,
 * `Accept` and `Content-Type`.
 */
export interface CheckRequest {
  readonly method?: string;
  /** Relative to the service's address, with the query: `/items?limit=2`. */
  readonly path: string;
  readonly as?: Caller;
  readonly body?: unknown;
  /** A body that is sent unchanged, by default as JSON. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Name of a connection that serves only requests with this name. */
  readonly connection?: string;
}

export function post(path: string, body: unknown, more: Omit<CheckRequest, 'path'> = {}): CheckRequest {
  return { ...more, method: 'POST', path, body };
}

export interface Exchange {
  readonly request: CheckRequest;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Body as text, cut at 8 MiB. */
  readonly text: string;
  /**
   * The parsed body, with its fields renamed to those of the seed specification; undefined if it is empty or not JSON.
   */
  readonly json: unknown;
}

export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function fieldOf({ json }: Exchange, name: string): unknown {
  return fieldsOf(json)[name];
}

export function header(exchange: Exchange, name: string): string | undefined {
  const value = exchange.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

export function answerInShort(exchange: Exchange): string {
  const text = exchange.text.replaceAll(/\s+/g, ' ').trim();
  if (exchange.status === 0) return text;
  const shown = text.length > 110 ? `${text.slice(0, 110)}…` : text;
  return shown === '' ? `${exchange.status} with an empty body` : `${exchange.status} ${shown}`;
}

export function cookieOf({ headers }: Exchange): string {
  return (headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ');
}
