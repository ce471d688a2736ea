import { requireJsonType } from '@items/conventions/answer';

import { headerOf, type HttpRequest } from './http-request.js';

/**
 * Refuses a body that is not JSON in UTF-8. The platform has already decoded any content coding.
 * @throws {UnsupportedMediaTypeError} 415
 * @see SPEC §4.5
 */
export function requireJson(request: HttpRequest): void {
  requireJsonType(headerOf(request, 'content-type'));
}

/** Whether a request announces a body or its type. RFC 9112 §6 */
export function announcesBody(request: HttpRequest): boolean {
  return Boolean(headerOf(request, 'content-type')) || hasBody(request);
}

/** A chunked body may be empty. RFC 9112 §6 */
export function hasBody(request: HttpRequest): boolean {
  const length = headerOf(request, 'content-length') ?? '0';
  return Boolean(headerOf(request, 'transfer-encoding')) || Number(length) !== 0;
}
