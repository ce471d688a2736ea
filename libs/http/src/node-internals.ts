import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

/*
 * What Node keeps on the sockets and the answers of its HTTP server and does not document; it is used only here. Seen in
 * Node 20.19 to 24; a Node that has none of it would be taken for one where nothing is due, paused or waiting, and its
 * answers would go out in two pieces.
 */

type ServerSocket = Socket & {
  readonly _httpMessage?: ServerResponse | null;
  readonly _paused?: boolean;
  readonly _handle?: { readonly bytesWritten?: number; readonly writeQueueSize?: number } | null;
};

/** @returns the answer that a connection waits for, or undefined where it waits for none. */
export function dueAnswer(socket: ServerSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}

/** Whether Node has stopped reading, and its parser with it, until answers have left: only Node may start both again. */
export function isPausedByNode(socket: ServerSocket): boolean {
  return socket._paused === true;
}

/** What the service has written on a connection, in bytes. */
export interface Written {
  /** Taken by the operating system. */
  readonly left: number;
  /** Not yet taken, for its client does not read. */
  readonly waiting: number;
}

/** @param socket the one of TCP, also under TLS. */
export function writtenOn({ _handle: handle }: ServerSocket): Written {
  const waiting = handle?.writeQueueSize ?? 0;
  return { waiting, left: (handle?.bytesWritten ?? 0) - waiting };
}

/** Says in `Keep-Alive` how long a connection is kept, as Node does where the time is its own. @param ms whole seconds. */
export function promiseIdle(response: ServerResponse & { _keepAliveTimeout?: number }, ms: number): void {
  response._keepAliveTimeout = ms;
}

type WrittenHead = ServerResponse & {
  _header?: string | null;
  readonly _headerSent?: boolean;
};

/** What writes heads. */
const headWriterOf = (response: { readonly writeHead: unknown }): unknown => response.writeHead;
/** Node's own, so that another one in its place is noticed. */
const OWN_HEAD_WRITER = headWriterOf(ServerResponse.prototype);

/** Whether Node itself writes the head of an answer, in a way that is known, and no header was set past Fastify. */
export function takesLines(response: ServerResponse): boolean {
  return keepsHead && headWriterOf(response) === OWN_HEAD_WRITER && response.getHeaderNames().length === 0;
}

/**
 * Writes the head of an answer that {@link takesLines}, with its status and with lines that are made already: Node would
 * make each of them anew. ADR 62
 * @param lines each ended by CR LF, of headers that Node does not read.
 * @param list what follows them: names and values by turns.
 */
export function writeHeadLines(response: WrittenHead, lines: string, list: readonly string[]): void {
  response.writeHead(response.statusCode, list as string[]);
  const head = response._header ?? '';
  const begin = head.indexOf('\n') + 1;
  response._header = head.slice(0, begin) + lines + head.slice(begin);
}

/** Whether a head waits in `_header`, its status line first. */
const keepsHead = ((): boolean => {
  const response: WrittenHead = new ServerResponse(new IncomingMessage(new Socket()));
  response.writeHead(200, ['content-length', '0']);
  return /^HTTP\/1\.1 200 OK\r\ncontent-length: 0\r\n/.test(response._header ?? '') && response._headerSent === false;
})();

/**
 * Ends an answer by its whole body. Node writes one piece for the body and an empty one for the end, by a way that is
 * made for many; behind its head, which waits to be written, the body costs none of it. ADR 55
 * @param response its head is said, and `content-length` with it; no answer to HEAD.
 * @param bytes a character for each byte.
 */
export function endWith(response: WrittenHead, bytes: string): void {
  // Whatever stands between an answer and Node, such as a translation, may keep the head to itself.
  if (typeof response._header !== 'string' || response._headerSent !== false) {
    response.end(bytes, 'latin1');
    return;
  }
  response._header += bytes;
  response.end();
}
