import { type IncomingHttpHeaders } from 'node:http';

/** With which credential a request goes: those of the command line, none, or an invented one. */
export type Caller = 'writer' | 'reader' | 'anonymous' | 'impostor';

/** A request in the words of the specification, `/items` and `name`, whatever the service calls them. Nothing is added to it but the credential and `Content-Type`. */
export interface Ask {
  readonly method?: string;
  /** Below the service's address, with its query: `/items?limit=2`. */
  readonly path: string;
  readonly as?: Caller;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it stands, labelled as JSON. */
  readonly raw?: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Over one connection that is used for nothing else, by its name. */
  readonly connection?: string;
}

/** A request and its answer. */
export interface Exchange {
  readonly ask: Ask;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The answer's body as text, cut at 8 MiB. */
  readonly text: string;
  /** The parsed body, in the words of the specification; undefined where it is empty or no JSON. */
  readonly json: unknown;
}

/** The fields of a JSON object; of anything else, none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

export function header(exchange: Exchange, name: string): string | undefined {
  const value = exchange.headers[name.toLowerCase()];
  return Array.isArray(value) ? value.join(', ') : value;
}

/** The answer in a few words: status and the beginning of its body. */
export function answerInShort(exchange: Exchange): string {
  const text = exchange.text.replaceAll(/\s+/g, ' ').trim();
  if (exchange.status === 0) return text;
  const shown = text.length > 110 ? `${text.slice(0, 110)}…` : text;
  return shown === '' ? `${exchange.status} with an empty body` : `${exchange.status} ${shown}`;
}

/** The cookies that an answer sets, as a browser would send them back; empty where there are none. */
export function cookieOf({ headers }: Exchange): string {
  return (headers['set-cookie'] ?? []).map((one) => one.split(';', 1)[0]).join('; ');
}
