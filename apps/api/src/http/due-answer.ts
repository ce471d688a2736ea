import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node keeps the answer that is due on a connection here; its own handling of client errors asks the same. */
type ServerSocket = Socket & { readonly _httpMessage?: ServerResponse | null };

/** @returns the answer that a connection waits for, or undefined where it waits for none. */
export function dueAnswer(socket: ServerSocket): ServerResponse | undefined {
  return socket._httpMessage ?? undefined;
}
