import { UnsupportedMediaTypeError } from '@items/conventions';

import { headerOf, type HttpRequest } from './http-request.js';

/** In linear time: each part is one token, or one quoted text. RFC 9110 §8.3 */
const JSON_TYPE = /^application\/json[ \t]*(?:;(.*))?$/is;
const PARAMETER = /^[ \t]*([\w!#$%&'*+.^`|~-]+)=("[^"\\]*"|[\w!#$%&'*+.^`|~-]+)[ \t]*$/;

/**
 * Refuses a body that is anything but JSON in UTF-8. A content coding is the platform's: its parser has undone it.
 * @throws {UnsupportedMediaTypeError} 415
 * @see SPEC §4.5
 */
export function requireJson(request: HttpRequest): void {
  const [, parameters] = JSON_TYPE.exec(headerOf(request, 'content-type') ?? '') ?? refuse();
  for (const parameter of (parameters ?? '').split(';').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = PARAMETER.exec(parameter) ?? refuse();
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      throw new UnsupportedMediaTypeError('JSON is always UTF-8 here: leave the charset out, or send "charset=utf-8".');
    }
  }
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

function refuse(): never {
  throw new UnsupportedMediaTypeError();
}
