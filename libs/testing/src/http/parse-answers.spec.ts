import { parseAnswers } from './parse-answers.js';

function parse(text: string, bodiless = false, ended = false): [number, string][] {
  return parseAnswers(Buffer.from(text), bodiless, ended).map((answer) => [answer.status, answer.text]);
}

describe('Responses on a raw connection', () => {
  const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi';

  it('are cut by their length', () => {
    expect(parse(ok + ok)).toEqual([
      [200, 'hi'],
      [200, 'hi'],
    ]);
  });

  it('are cut by their chunks', () => {
    const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n3\r\nyou\r\n0\r\n\r\n';
    expect(parse(chunked + ok)).toEqual([
      [200, 'hiyou'],
      [200, 'hi'],
    ]);
  });

  it('have no body if they are interim, 204, 304 or to HEAD', () => {
    const heads = ['100 Continue', '204 No Content', '304 Not Modified'].map((line) => `HTTP/1.1 ${line}\r\n\r\n`);
    expect(parse(heads.join(''))).toEqual([
      [100, ''],
      [204, ''],
      [304, ''],
    ]);
    expect(parse('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n', true)).toEqual([[200, '']]);
  });

  it('end with the connection if no length says otherwise', () => {
    const endless = 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n{"error":"x"}';
    expect(parse(endless)).toEqual([]);
    expect(parse(endless, false, true)).toEqual([[400, '{"error":"x"}']]);
  });

  it('wait for the rest of an incomplete response', () => {
    for (let length = 0; length < ok.length; length += 1) expect(parse(ok.slice(0, length))).toEqual([]);
  });

  it('are refused if they are not HTTP', () => {
    expect(() => parse('garbage\r\n\r\n')).toThrow('Not a status line: "garbage"');
    expect(() => parse('HTTP/1.1 200 OK\r\nno colon\r\n\r\n')).toThrow('Not a header: "no colon"');
  });
});
