import { Choice, Choices, DateTime, Float, Integer, Money, Nested, NestedList, Optional, Text } from '@items/fields';

import { storedTypes, typeChanges } from './stored-types.js';

type Decorators = readonly ((prototype: object, name: string) => void)[];

const dto = (fields: Readonly<Record<string, Decorators>>): new () => object => {
  class Dto {}
  for (const [name, decorators] of Object.entries(fields))
    for (const decorate of decorators) decorate(Dto.prototype, name);
  return Dto;
};
const sentences = (before: Decorators, after: Decorators): string[] =>
  typeChanges(storedTypes(dto({ a: before })), storedTypes(dto({ a: after }))).map(({ sentence }) => sentence);
const line = (...price: Decorators): Decorators => [NestedList(() => dto({ price }), { min: 0, max: 5 })];

describe('Changes of types', () => {
  it.each<[string, Decorators, Decorators]>([
    ['"a" was Money and is Float', [Money()], [Float({ min: 0, max: 9 })]],
    ['"a" was Integer and is Text', [Integer({ min: 0, max: 9 })], [Text({ max: 9 })]],
    ['"a" was Text and is DateTime', [Text({ max: 9 })], [DateTime()]],
    [
      '"a" was Integer of 0 to 9 and is Integer of 1 to 9',
      [Integer({ min: 0, max: 9 })],
      [Integer({ min: 1, max: 9 })],
    ],
    ['"a" was Text of 0 to 9 characters and is Text of 0 to 8 characters', [Text({ max: 9 })], [Text({ max: 8 })]],
    ['"a" no longer has the choices y', [Choice(['x', 'y'])], [Choice(['z', 'x'])]],
    ['"a" was Text of 0 to 9 characters and is a choice of x', [Text({ max: 9 })], [Choice(['x'])]],
    ['"a[]" no longer has the choices y', [Choices(['x', 'y'])], [Choices(['x', 'z'])]],
    ['"a" was optional and is required', [Optional(), Text({ max: 9 })], [Text({ max: 9 })]],
    ['"a.price" was Money and is Float', line(Money()), line(Float({ min: 0, max: 9 }))],
    ['"a.b" is new and required', [Nested(() => dto({}))], [Nested(() => dto({ b: [Money()] }))]],
  ])('%s', (sentence, before, after) => {
    expect(sentences(before, after)).toEqual([sentence]);
  });

  it.each<[string, Decorators, Decorators]>([
    ['a wider range', [Integer({ min: 0, max: 9 })], [Integer({ min: -1, max: 10 })]],
    ['a longer text', [Text({ min: 1, max: 9 })], [Text({ max: 10 })]],
    ['more choices', [Choice(['x'])], [Choice(['y', 'x'])]],
    ['a choice that becomes a text', [Choice(['x'])], [Text({ max: 1 })]],
    ['a required field that becomes optional', [Money()], [Optional(), Money()]],
    ['a new optional part', [Nested(() => dto({}))], [Nested(() => dto({ b: [Optional(), Money()] }))]],
  ])('%s changes nothing', (_, before, after) => {
    expect(sentences(before, after)).toEqual([]);
  });
});
