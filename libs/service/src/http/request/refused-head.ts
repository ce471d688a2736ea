import { type IncomingHttpHeaders, METHODS } from 'node:http';

import { originForm, type ReceivedHead } from './request-head.js';

/** The head of a request that Node's parser refused, as far as it is in the same packet as the fault. */
export interface RefusedHead extends ReceivedHead {
  readonly url: string;
  readonly hasUnknownMethod: boolean;
  /** Whether the packet contains all header fields; if not, they are empty. */
  readonly isWhole: boolean;
}

const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
const VERSION = /^HTTP\/(\d)\.(\d)\r?$/;
const NO_FIELD_CHARACTER = /[^\t\x20-\x7e\x80-\xff]/;
/** Parser errors in the request line: an unknown method, a method of RTSP, a method of HTTP/2. */
const LINE_FAULTS: readonly unknown[] = ['HPE_INVALID_METHOD', 'HPE_INVALID_CONSTANT', 'HPE_INVALID_VERSION'];

/**
 * @param fault Node's error with `rawPacket` and `bytesParsed`.
 * @returns undefined if there is no request line up to the fault, or a header field is invalid.
 */
export function refusedHead(fault: Error): RefusedHead | undefined {
  const { code, rawPacket, bytesParsed } = fault as Partial<Record<'code' | 'rawPacket' | 'bytesParsed', unknown>>;
  if (!Buffer.isBuffer(rawPacket) || typeof bytesParsed !== 'number') return undefined;
  const text = rawPacket.toString('latin1');
  const isMethodFault = code === 'HPE_INVALID_METHOD';
  // Node reports the position after the line, unless the fault is in the method.
  const endOfLine = text.indexOf('\n', isMethodFault ? bytesParsed : bytesParsed - 1);
  const lines = text.slice(0, endOfLine === -1 ? undefined : endOfLine).split('\n');
  if (!LINE_FAULTS.includes(code)) {
    const line = lines.map(requestLine).findLast((each) => each !== undefined);
    return line && { ...line, hasUnknownMethod: false };
  }
  const line = requestLine(lines.at(-1)?.slice(isMethodFault ? restOfBody(text, bytesParsed) : 0) ?? '');
  return line && withFields(line, text.slice(endOfLine + 1));
}

function requestLine(line: string): RefusedHead | undefined {
  const [method = '', target = '', version = '', ...more] = line.split(' ');
  const [, major, minor] = VERSION.exec(version) ?? [];
  if (major === undefined || target === '' || more.length > 0) return undefined;
  return {
    url: originForm(target),
    hasUnknownMethod: major === '1' && TOKEN.test(method) && !METHODS.includes(method),
    httpVersionMajor: Number(major),
    httpVersionMinor: Number(minor),
    headers: {},
    rawHeaders: [],
    isWhole: false,
  };
}

/** A body need not end with a line end, so the line may begin with the rest of the previous request's body. */
function restOfBody(text: string, fault: number): number {
  const startOfLine = text.lastIndexOf('\n', fault - 1) + 1;
  let start = fault;
  while (start > startOfLine && TOKEN.test(text.charAt(start - 1))) start -= 1;
  return start - startOfLine;
}

function withFields(line: RefusedHead, rest: string): RefusedHead | undefined {
  const lines = rest.split(/\r?\n/);
  const end = lines.indexOf('');
  if (end === -1 || end === lines.length - 1) return line;
  const headers: IncomingHttpHeaders = {};
  const rawHeaders: string[] = [];
  for (const field of lines.slice(0, end)) {
    const colon = field.indexOf(':');
    const [name, value] = [field.slice(0, Math.max(0, colon)), field.slice(colon + 1).trim()];
    if (!TOKEN.test(name) || NO_FIELD_CHARACTER.test(value)) return undefined;
    rawHeaders.push(name, value);
    headers[name.toLowerCase()] ??= value;
  }
  return { ...line, headers, rawHeaders, isWhole: true };
}
