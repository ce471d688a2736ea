import fc from 'fast-check';

import { Flag, Text } from '@items/fields';

import { defineCollection } from '../definition/define-collection.js';
import { etagOf } from './tagged.js';

class BookDto {
  @Text({ max: 20 })
  title!: string;
}

class LentBookDto extends BookDto {
  @Flag()
  lent!: boolean;
}

class RetypedBookDto {
  @Flag()
  title!: boolean;
}

const names = { name: 'books', singular: 'book' };

it('The entity tag of a stamp is its clock and its lane in base 36, and the form of the JSON', () => {
  fc.assert(
    fc.property(fc.maxSafeNat(), fc.nat({ max: 15 }), (seq, lane) => {
      const tag = `"${seq.toString(36)}-${lane.toString(36)}-a1b2c"`;
      expect(etagOf({ seq, lane }, { representation: 'a1b2c' })).toBe(tag);
    }),
  );
});

it('A version of the service that shows other fields gives the same row another tag', () => {
  const tagOf = (representation: { representation: string }): string => etagOf({ seq: 7, lane: 0 }, representation);
  const books = defineCollection({ ...names, dto: BookDto });
  const others = [
    defineCollection({ ...names, dto: LentBookDto }),
    defineCollection({ ...names, dto: RetypedBookDto }),
    defineCollection({ ...names, dto: BookDto, immutable: true }),
  ];
  const tags = [books, ...others].map(tagOf);
  expect(new Set(tags).size).toBe(tags.length);
  expect(tagOf(defineCollection({ ...names, dto: BookDto }))).toBe(tags[0]);
  expect(tags[0]).toMatch(/^"7-0-[0-9a-f]{5}"$/);
});
