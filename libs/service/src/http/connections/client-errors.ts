import type { Socket } from 'node:net';
import { type IncomingHttpHeaders, METHODS, STATUS_CODES } from 'node:http';

import { toApiError, type ErrorAnswer, toErrorAnswer } from '@items/conventions/answer';
import { failBody } from '../body/read-body.js';
import { closeGently, connectionOf } from './connection.js';
import type { EdgeOptions } from '../edge-options.js';
import type { RouteTable } from '../request/route-table.js';
import { type ApiError, MethodNotAllowedError, RouteNotFoundError, HEADER } from '@items/conventions';
import { encodingFault, originForm, type ReceivedHead, requestIdOf, validateHead } from '../request/request-head.js';
import { generalHeaders } from '../request/general-headers.js';

/**
 * Responds to errors of Node's HTTP parser: invalid HTTP, oversized headers, bad chunks, timeouts. If the body of a
 * pending request is at fault, this request fails with the error. Otherwise the pending response is sent first.
 */
export class ClientErrors {
  private readonly ended = new WeakSet<Socket>();

  constructor(
    private readonly parts: Pick<EdgeOptions, 'log' | 'isHttps' | 'headers' | 'versions' | 'errorFormAt'> & {
      readonly routes: RouteTable;
    },
  ) {}

  handle(fault: Error, socket: Socket): void {
    if (this.ended.has(socket)) return;
    if (socket.destroyed || !socket.writable) {
      socket.destroy();
      return;
    }
    const connection = connectionOf(socket);
    const pending = connection?.pendingResponse;
    // Send nothing: only the rest of a body is late or malformed, and its request already has a response.
    if (!pending && connection?.isInsideBody) closeGently(socket);
    else if (!pending) this.respond(fault, socket);
    else if (pending.req.complete || pending.headersSent)
      pending.once('close', () => setImmediate(() => this.handle(fault, socket)));
    else {
      pending.shouldKeepAlive = false;
      failBody(pending.req, toApiError(fault));
    }
  }

  private respond(fault: Error, socket: Socket): void {
    this.ended.add(socket);
    const { log, isHttps, headers, versions, errorFormAt, routes } = this.parts;
    const head = refusedHead(fault);
    const thrown = (head && refusalOfMethod(head, routes)) ?? fault;
    const form = errorFormAt(head?.url ?? '');
    const response = form === undefined ? toErrorAnswer(thrown) : form(toApiError(thrown));
    const requestId = requestIdOf(head ?? { headers: {} });
    const general = generalHeaders({ ...headers, ...versions?.headersOf(head) }, isHttps);
    closeGently(socket, rawText(response, { [HEADER.requestId]: requestId, ...general }));
    log.info({ request_id: requestId, status: response.status }, 'refused invalid HTTP; the connection is closed');
  }
}

/** Returns undefined if Node knows the method, else error 400, 404 or 405, in this order. SPEC §1 */
function refusalOfMethod(head: RefusedHead, routes: RouteTable): ApiError | undefined {
  if (!head.hasUnknownMethod) return undefined;
  const fault = head.isWhole ? validateHead(head).fault : encodingFault(head.url);
  if (fault !== undefined) return fault;
  const allow = routes.allowedAt(head.url);
  return allow === undefined ? new RouteNotFoundError() : new MethodNotAllowedError(allow);
}

/** Formats the response to input that never became a request. The connection is closed after the response. SPEC §7 */
function rawText({ status, headers, body }: ErrorAnswer, common: Readonly<Record<string, string>>): string {
  const all = {
    ...common,
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${[value].flat().join(', ')}`);
  const statusLine = `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`;
  return `${[statusLine, ...lines].join('\r\n')}\r\n\r\n${body}`;
}

/** The head of a request that Node refused, as far as it is in the same packet as the fault. */
interface RefusedHead extends ReceivedHead {
  readonly url: string;
  readonly hasUnknownMethod: boolean;
  /** Whether the packet contains all header fields; if not, `headers` is empty. */
  readonly isWhole: boolean;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const VERSION = /^HTTP\/(\d)\.(\d)\r?$/;
const NO_FIELD_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;
/** Parser errors in the request line: an unknown method, a method of RTSP, a method of HTTP/2. */
const LINE_FAULTS: readonly unknown[] = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'];

/**
 * @param fault Node's error with `rawPacket` and `bytesParsed`.
 * @returns undefined without a readable request line, or with an invalid header field.
 */
function refusedHead(fault: Error): RefusedHead | undefined {
  const { code, rawPacket, bytesParsed } = fault as Partial<Record<'code' | 'rawPacket' | 'bytesParsed', unknown>>;
  if (!Buffer.isBuffer(rawPacket) || typeof bytesParsed !== 'number') return undefined;
  const text = rawPacket.toString('latin1');
  const isMethodFault = code === 'HPE_INVALID_METHOD';
  // `bytesParsed` is the index after the faulty line, or within the line if the fault is in the method.
  const endOfLine = text.indexOf('\n', isMethodFault ? bytesParsed : bytesParsed - 1);
  const lines = text.slice(0, endOfLine === -1 ? undefined : endOfLine).split('\n');
  if (!LINE_FAULTS.includes(code)) {
    const line = lines.map(requestLine).findLast((each) => each !== undefined);
    return line && { ...line, hasUnknownMethod: false };
  }
  const line = requestLine(lines.at(-1)?.slice(isMethodFault ? restOfBody(text, bytesParsed) : 0) ?? '');
  return line && withFields(line, text.slice(endOfLine + 1));
}

function requestLine(line: string): RefusedHead | undefined {
  const [method = '', target = '', version = '', ...more] = line.split(' ');
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major === undefined || target === '' || more.length > 0) return undefined;
  return {
    url: originForm(target),
    hasUnknownMethod: major === '1' && TOKEN.test(method) && !METHODS.includes(method),
    httpVersionMajor: Number(major),
    httpVersionMinor: Number(minor),
    headers: {},
    rawHeaders: [],
    isWhole: false,
  };
}

/**
 * Returns the number of characters before the method in its line. They are the end of the body of the previous request.
 */
function restOfBody(text: string, fault: number): number {
  const startOfLine = text.lastIndexOf('\n', fault - 1) + 1;
  let start = fault;
  while (start > startOfLine && TOKEN.test(text.charAt(start - 1))) start -= 1;
  return start - startOfLine;
}

function withFields(line: RefusedHead, rest: string): RefusedHead | undefined {
  const lines = rest.split(/\r?\n/);
  const end = lines.indexOf('');
  if (end === -1 || end === lines.length - 1) return line;
  const headers: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (const field of lines.slice(0, end)) {
    const colon = field.indexOf(':');
    const [name, value] = [field.slice(0, Math.max(0, colon)), field.slice(colon + 1).trim()];
    if (!TOKEN.test(name) || NO_FIELD_CHARACTER.test(value)) return undefined;
    rawHeaders.push(name, value);
    headers[name.toLowerCase()] ??= value;
  }
  return { ...line, headers, rawHeaders, isWhole: true };
}
