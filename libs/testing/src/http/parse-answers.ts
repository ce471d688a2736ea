import { Answer, type Header } from './answer.js';

const HEAD_END = '\r\n\r\n';

interface Parsed {
  readonly answer: Answer;
  readonly rest: Buffer;
}

/**
 * Parses all complete HTTP/1.1 responses of a connection, including interim ones (1xx).
 * @param bodiless the responses are to HEAD, so `Content-Length` announces nothing.
 * @param ended the connection has ended, which also ends a body without a length.
 * @throws {Error} the bytes are not HTTP.
 */
export function parseAnswers(bytes: Buffer, bodiless = false, ended = false): Answer[] {
  const answers: Answer[] = [];
  let parsed = parseOne(bytes, bodiless, ended);
  while (parsed !== undefined) {
    answers.push(parsed.answer);
    parsed = parseOne(parsed.rest, bodiless, ended);
  }
  return answers;
}

function parseOne(bytes: Buffer, bodiless: boolean, ended: boolean): Parsed | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...lines] = bytes.subarray(0, headEnd).toString('latin1').split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3})( |$)/.exec(statusLine)?.[1];
  if (status === undefined) throw new Error(`Not a status line: ${JSON.stringify(statusLine.slice(0, 100))}`);
  const headers = lines.map(parseHeader);
  const empty = new Answer(Number(status), headers, Buffer.alloc(0));
  const after = bytes.subarray(headEnd + HEAD_END.length);
  const body = hasBody(empty.status, bodiless) ? takeBody(empty, after, ended) : { content: empty.body, rest: after };
  return body && { answer: new Answer(empty.status, headers, body.content), rest: body.rest };
}

function hasBody(status: number, bodiless: boolean): boolean {
  return !bodiless && status >= 200 && status !== 204 && status !== 304;
}

function parseHeader(line: string): Header {
  const colon = line.indexOf(':');
  if (colon < 1) throw new Error(`Not a header: ${JSON.stringify(line.slice(0, 100))}`);
  return [line.slice(0, colon), line.slice(colon + 1).trim()];
}

function takeBody(answer: Answer, bytes: Buffer, ended: boolean): { content: Buffer; rest: Buffer } | undefined {
  if (answer.header('transfer-encoding') === 'chunked') return takeChunks(bytes);
  const announced = answer.header('content-length');
  if (announced === undefined) return ended ? { content: bytes, rest: Buffer.alloc(0) } : undefined;
  const length = Number(announced);
  return bytes.length < length ? undefined : { content: bytes.subarray(0, length), rest: bytes.subarray(length) };
}

function takeChunks(bytes: Buffer): { content: Buffer; rest: Buffer } | undefined {
  const chunks: Buffer[] = [];
  let at = 0;
  for (;;) {
    const lineEnd = bytes.indexOf('\r\n', at);
    if (lineEnd === -1) return undefined;
    const size = Number.parseInt(bytes.subarray(at, lineEnd).toString('latin1'), 16);
    const end = lineEnd + 2 + size;
    if (bytes.length < end + 2) return undefined;
    chunks.push(bytes.subarray(lineEnd + 2, end));
    at = end + 2;
    if (size === 0) return { content: Buffer.concat(chunks), rest: bytes.subarray(at) };
  }
}
