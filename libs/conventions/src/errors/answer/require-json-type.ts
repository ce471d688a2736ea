import { UnsupportedMediaTypeError } from '../errors.js';

/** Matches in linear time, because each part is one token or one quoted string. RFC 9110 §8.3 */
const JSON_TYPE = /^application\/json[ \t]*(?:;(.*))?$/is;
const PARAMETER = /^[ \t]*([\w!#$%&'*+.^`|~-]+)=("[^"\\]*"|[\w!#$%&'*+.^`|~-]+)[ \t]*$/;

/** @throws {UnsupportedMediaTypeError} 415: not JSON in UTF-8. @see SPEC §4.5 */
export function requireJsonType(type: string | undefined): void {
  const [, parameters] = JSON_TYPE.exec(type ?? '') ?? refuse();
  for (const parameter of (parameters ?? '').split(';').filter((part) => part.trim() !== '')) {
    const [, name = '', value = ''] = PARAMETER.exec(parameter) ?? refuse();
    if (name.toLowerCase() === 'charset' && !/^"?utf-8"?$/i.test(value)) {
      throw new UnsupportedMediaTypeError('JSON is always UTF-8 here: leave the charset out, or send "charset=utf-8".');
    }
  }
}

function refuse(): never {
  throw new UnsupportedMediaTypeError();
}
