import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';

import { toErrorAnswer } from '@items/conventions/answer';

export interface TranslatedResponse {
  readonly status: number;
  /** Values by lower-case name, without `Content-Length`, which is computed from the body. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** Parsed JSON; undefined if the body is missing or has another type. */
  readonly body: unknown;
}

export interface Translation {
  readonly url: string;
  /** Headers with a single value, by lower-case name. */
  readonly headers: Readonly<Record<string, string>>;
  body(body: unknown): unknown;
  /**
   * @param isInClientVersion whether the response already has the client's version, because the request body was
   *   refused before translation.
   */
  response(response: TranslatedResponse, isInClientVersion: boolean): TranslatedResponse;
}

interface TranslationLog {
  error(fields: object, message: string): void;
}

export const TRANSLATION = Symbol('translation');

interface State {
  readonly translation: Translation;
  isInClientVersion: boolean;
}

export type TranslatedRequest = IncomingMessage & { [TRANSLATION]?: State };

/** @param log receives failed translations of responses, which become 500. */
export function translate(
  message: IncomingMessage,
  response: ServerResponse,
  translation: Translation,
  log: TranslationLog,
): void {
  const { headers } = message;
  message.url = translation.url;
  for (const name of Object.keys(headers))
    if (typeof headers[name] === 'string' && !(name in translation.headers)) headers[name] = undefined;
  Object.assign(headers, translation.headers);
  const state: State = { translation, isInClientVersion: false };
  (message as TranslatedRequest)[TRANSLATION] = state;
  interceptResponse(message, response, state, log);
}

/** @param read returns the body as the client sent it. Errors of `read` quote this body, and are not translated. */
export async function translatedBody(message: IncomingMessage, read: () => Promise<unknown>): Promise<unknown> {
  const state = (message as TranslatedRequest)[TRANSLATION];
  if (state === undefined) return read();
  state.isInClientVersion = true;
  const body = await read();
  state.isInClientVersion = false;
  return state.translation.body(body);
}

type GivenHeaders = OutgoingHttpHeaders | readonly (string | number | readonly string[])[];

function interceptResponse(
  message: IncomingMessage,
  response: ServerResponse,
  state: State,
  log: TranslationLog,
): void {
  const pieces: Buffer[] = [];
  const add = (chunk: unknown, encoding: unknown): void => {
    if (typeof chunk === 'string') pieces.push(Buffer.from(chunk, encodingOf(encoding)));
    else if (chunk instanceof Uint8Array) pieces.push(Buffer.from(chunk));
  };
  const own = {
    writeHead: (status: number, ...rest: unknown[]): ServerResponse => {
      response.statusCode = status;
      const given = (rest.find((each) => typeof each === 'object') ?? {}) as GivenHeaders;
      for (const [name, value] of pairsOf(given)) if (value !== undefined) response.setHeader(name, textsOf(value));
      return response;
    },
    write: (chunk: unknown, ...rest: unknown[]): boolean => {
      add(chunk, rest[0]);
      callbackAmong(rest)?.();
      return true;
    },
    end: (...given: unknown[]): ServerResponse => {
      add(given[0], given[1]);
      for (const name of OVERRIDDEN) Reflect.deleteProperty(response, name);
      const headers = Object.entries(response.getHeaders()).map(([name, value]) => [name, textsOf(value)]);
      const plain: PlainResponse = {
        status: response.statusCode,
        headers: Object.fromEntries(headers) as PlainResponse['headers'],
        body: Buffer.concat(pieces),
      };
      send(response, translateResponse(plain, message, state, log), callbackAmong(given));
      return response;
    },
  };
  Object.assign(response, own);
}

const OVERRIDDEN = ['writeHead', 'write', 'end'] as const;

interface PlainResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

function translateResponse(
  plain: PlainResponse,
  message: IncomingMessage,
  state: State,
  log: TranslationLog,
): PlainResponse {
  const { 'content-length': length, ...headers } = plain.headers;
  const isJson = plain.headers['content-type']?.toString().startsWith('application/json') === true;
  const hasBody = plain.body.length > 0;
  try {
    const body = isJson && hasBody ? (JSON.parse(plain.body.toString()) as unknown) : undefined;
    const translated = state.translation.response({ status: plain.status, headers, body }, state.isInClientVersion);
    if (body === undefined) {
      // Omit the length of JSON in a HEAD response: translation would change it.
      const isSame = length !== undefined && !(isJson && message.method === 'HEAD');
      return {
        ...translated,
        headers: isSame ? { ...translated.headers, 'content-length': length } : translated.headers,
        body: plain.body,
      };
    }
    return withLength(translated.status, translated.headers, Buffer.from(JSON.stringify(translated.body)));
  } catch (err) {
    log.error({ err }, 'could not translate a response into an older version; the client gets 500');
    const { status, headers: ofError, body } = toErrorAnswer(err);
    const { etag: _etag, link: _link, location: _location, ...kept } = headers;
    return withLength(status, { ...kept, ...ofError }, Buffer.from(body));
  }
}

function withLength(status: number, headers: PlainResponse['headers'], body: Buffer): PlainResponse {
  return { status, headers: { ...headers, 'content-length': String(body.length) }, body };
}

function send(response: ServerResponse, { status, headers, body }: PlainResponse, callback?: () => void): void {
  for (const name of response.getHeaderNames()) response.removeHeader(name);
  response.writeHead(status, headers as OutgoingHttpHeaders);
  response.end(body.length === 0 ? undefined : body, callback);
}

function pairsOf(given: GivenHeaders): (readonly [name: string, value: unknown])[] {
  if (!Array.isArray(given)) return Object.entries(given);
  const list = given as readonly unknown[];
  const pairs = new Map<string, unknown>();
  for (let index = 0; index + 1 < list.length; index += 2) {
    const [name, value] = [String(list[index]).toLowerCase(), list[index + 1]];
    pairs.set(name, pairs.has(name) ? [pairs.get(name), value].flat() : value);
  }
  return [...pairs];
}

function textsOf(value: unknown): string | readonly string[] {
  return Array.isArray(value) ? value.map(String) : String(value);
}

function callbackAmong(given: readonly unknown[]): (() => void) | undefined {
  return given.find((each): each is () => void => typeof each === 'function');
}

function encodingOf(given: unknown): BufferEncoding {
  return typeof given === 'string' && Buffer.isEncoding(given) ? given : 'utf8';
}
