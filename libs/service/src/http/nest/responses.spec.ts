import { Readable } from 'node:stream';

import type { FastifyReply } from 'fastify';

import { inPieces, JsonText } from './responses.js';

function replyTo(headers: Record<string, unknown>): FastifyReply {
  const header = (name: string, value: unknown): object => Object.assign(headers, { [name]: value });
  return { header, raw: { req: {} } } as unknown as FastifyReply;
}

describe('A text that is sent', () => {
  it('is one piece if it is short', () => {
    const headers = {};
    expect(inPieces(replyTo(headers), '{}')).toBe('{}');
    expect(headers).toEqual({});
  });

  it.each(['x', 'é', '€', '😀'])('is streamed in pieces with its length if it is long: %s', async (character) => {
    const headers: Record<string, unknown> = {};
    const text = `a${character.repeat(100_000)}`;
    const sent = inPieces(replyTo(headers), text);
    expect(sent).toBeInstanceOf(Readable);
    const pieces = (await (sent as Readable).toArray()) as Buffer[];
    expect(pieces.length).toBeGreaterThan(1);
    expect(Math.max(...pieces.map(({ length }) => length))).toBe(65_536);
    expect(Buffer.concat(pieces).toString()).toBe(text);
    expect(headers).toEqual({ 'content-length': String(Buffer.byteLength(text)) });
  });
});

it('JsonText is a JSON value within another value', () => {
  expect(JSON.stringify({ page: new JsonText('{"n":1,"list":["a"]}') })).toBe('{"page":{"n":1,"list":["a"]}}');
});
