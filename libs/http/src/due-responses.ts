import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The responses that are due on each connection, in the order of their requests. */
const due = new WeakMap<Socket, ServerResponse[]>();

/** Notes the response of a request that has come over a connection. */
export function noteResponse(socket: Socket, response: ServerResponse): void {
  const responses = due.get(socket);
  if (responses === undefined) due.set(socket, [response]);
  else {
    // Those that are over are at the front: a connection that is idle holds one at most.
    while (responses[0]?.writableFinished) responses.shift();
    responses.push(response);
  }
}

/** @returns the response that a connection waits for, or undefined where it waits for none. */
export function dueResponse(socket: Socket): ServerResponse | undefined {
  return due.get(socket)?.find(({ writableFinished }) => !writableFinished);
}
