import type { IncomingHttpHeaders } from 'node:http';

import { UnsupportedMediaTypeError } from '@items/conventions';

const JSON_TYPE = /^application\/json[ \t]*(?:;(.*))?$/is;
const PARAMETER = /^[ \t]*([\w!#$%&'*+.^`|~-]+)=("[^"\\]*"|[\w!#$%&'*+.^`|~-]+)[ \t]*$/;

/**
 * Refuses a body that is anything but plain JSON in UTF-8.
 * @throws {UnsupportedMediaTypeError} 415: another media type, charset or content coding.
 * @see SPEC §4.5
 */
export function requireJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  const [, parameters] = (type === undefined ? null : JSON_TYPE.exec(type)) ?? refuse();
  for (const parameter of (parameters ?? '').split(';').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = PARAMETER.exec(parameter) ?? refuse();
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      throw new UnsupportedMediaTypeError('JSON is always UTF-8 here: leave the charset out, or send "charset=utf-8".');
    }
  }
  const coding = headers['content-encoding'] ?? 'identity';
  if (coding.toLowerCase() !== 'identity') {
    throw new UnsupportedMediaTypeError('The request body must not be compressed: leave Content-Encoding out.');
  }
}

function refuse(): never {
  throw new UnsupportedMediaTypeError();
}
