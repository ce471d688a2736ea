import { requireJsonType } from '@items/conventions/answer';

import { headerOf, type HttpRequest } from './http-request.js';

/**
 * Refuses a body that is anything but JSON in UTF-8. A content coding is the platform's: its parser has undone it.
 * @throws {UnsupportedMediaTypeError} 415
 * @see SPEC §4.5
 */
export function requireJson(request: HttpRequest): void {
  requireJsonType(headerOf(request, 'content-type'));
}

/** Whether a request says that it has a body, or of which type. RFC 9112 §6 */
export function announcesBody(request: HttpRequest): boolean {
  return Boolean(headerOf(request, 'content-type')) || hasBody(request);
}

/** Whether a request says that it has a body; one in chunks may turn out to be empty. RFC 9112 §6 */
export function hasBody(request: HttpRequest): boolean {
  const length = headerOf(request, 'content-length') ?? '0';
  return Boolean(headerOf(request, 'transfer-encoding')) || Number(length) !== 0;
}
