import { growth } from '@items/testing';

import { CollectedBytes } from './collected-bytes.js';

const collected = (max: number, ...chunks: string[]): [boolean[], string] => {
  const bytes = new CollectedBytes(max);
  const taken = chunks.map((chunk) => bytes.add(Buffer.from(chunk)));
  return [taken, bytes.all().toString()];
};

describe('CollectedBytes', () => {
  it('joins chunks, up to the maximum', () => {
    expect(collected(10)).toEqual([[], '']);
    expect(collected(10, 'abc', '', 'd', 'efghij')).toEqual([[true, true, true, true], 'abcdefghij']);
    expect(collected(10, 'abc', 'defghijk')).toEqual([[true, false], 'abc']);
  });

  it('stores at most the maximum, and nothing after drop()', () => {
    const bytes = new CollectedBytes(1000);
    for (let count = 0; count < 1000; count += 1) bytes.add(Buffer.from('x'));
    expect(bytes.all().buffer.byteLength).toBeLessThanOrEqual(1000);
    bytes.drop();
    expect(bytes.all()).toHaveLength(0);
  });

  it('takes time proportional to the number of chunks', () => {
    const add = (pieces: readonly Buffer[]) => {
      const bytes = new CollectedBytes(pieces.length);
      for (const piece of pieces) bytes.add(piece);
    };
    expect(growth((size) => new Array<Buffer>(size).fill(Buffer.from('x')), add, 8192)).toBeLessThan(5);
  });
});
