import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

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
