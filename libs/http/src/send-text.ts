import { ServerResponse } from 'node:http';

import { type ErrorReply, type RawResponse, sendError } from '@items/errors/answer';
import type { FastifyReply } from 'fastify';

import { HeaderLines, type HeaderValues } from './header-lines.js';
import { endWith, takesLines, writeHeadLines } from './node-internals.js';

const headerLines = new HeaderLines();

type ReplyHeaders = ReturnType<FastifyReply['getHeaders']>;

/** As Fastify writes it. */
const JSON_TYPE = 'application/json; charset=utf-8';

/**
 * Answers with a whole text, or nothing, under the status and the headers that the reply was given: `reply.send` finds out
 * first what it was given, for it may be a stream as well. ADR 55
 * @param text JSON, unless the reply has a `content-type`; undefined for a status that has no body, 204 and 304.
 */
export function sendText(reply: FastifyReply, text: string | undefined): void {
  if (!reply.sent) sendWith(reply.raw, reply.getHeaders(), text);
}

function sendWith(raw: ServerResponse, headers: ReplyHeaders, text: string | undefined): void {
  const length = text === undefined ? undefined : Buffer.byteLength(text);
  if (text !== undefined) headers['content-type'] ??= JSON_TYPE;
  writeHead(raw, headers, length);
  if (text === undefined || raw.req.method === 'HEAD') raw.end();
  else endWith(raw, length === text.length ? text : Buffer.from(text).toString('latin1'));
}

/** @param length of the body in bytes; undefined where there is none. */
function writeHead(raw: ServerResponse, headers: HeaderValues, length: number | undefined): void {
  const lines = takesLines(raw) ? headerLines.of(headers) : undefined;
  const list: (string | number | string[])[] = [];
  if (lines === undefined) for (const name in headers) list.push(name, headers[name] ?? '');
  if (length !== undefined) list.push('content-length', String(length));
  // Node takes values of several lines in a flat list too, which its types do not know.
  if (lines === undefined) raw.writeHead(raw.statusCode, list as string[]);
  else writeHeadLines(raw, lines, list as string[]);
}

/** Answers with whatever was thrown, by {@link sendText} where Fastify has a reply. SPEC §7 */
export function sendErrorText(thrown: unknown, response: FastifyReply | RawResponse): void {
  sendError(thrown, response instanceof ServerResponse ? response : new TextReply(response as FastifyReply));
}

/** A reply that takes a text and nothing else. What an error says of its headers is said of a copy of the reply's. */
class TextReply implements ErrorReply {
  readonly raw: ServerResponse;
  private readonly given: ReplyHeaders;

  constructor(private readonly reply: FastifyReply) {
    this.raw = reply.raw;
    this.given = reply.getHeaders();
  }

  get sent(): boolean {
    return this.reply.sent;
  }

  code(status: number): this {
    this.reply.code(status);
    return this;
  }

  headers(values: Record<string, string | string[]>): this {
    Object.assign(this.given, values);
    return this;
  }

  removeHeader(name: string): void {
    if (!(name in this.given)) return;
    this.reply.removeHeader(name);
    Reflect.deleteProperty(this.given, name);
  }

  send(body: string): void {
    sendWith(this.raw, this.given, body);
  }
}
