import type { IncomingMessage } from 'node:http';

import { networkOf } from '../request/network-of.js';

/**
 * The credential that a request shows, however it is written, or else the address that it comes from: whose turn it takes.
 * Whether it is valid is judged later; one that is not costs next to nothing.
 */
export function shownHolder({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): string {
  const { authorization, 'x-api-key': key } = headers;
  if (typeof key === 'string') return key;
  if (authorization === undefined) return networkOf(socket.remoteAddress ?? '');
  const token = authorization.slice(authorization.lastIndexOf(' ') + 1);
  // The same name and password have many forms in base64.
  return /^\s*basic\s/i.test(authorization) ? Buffer.from(token, 'base64').toString('latin1') : token;
}
