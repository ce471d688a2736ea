import { OMITTED_MEMBERS, type OmittedMembers, ValidationError } from '@items/conventions';

import { NestedList } from './arrays.js';
import { Optional, ReadOnly } from './presence.js';
import { Text } from './text.js';
import { validate } from './validate.js';

class KittenDto {
  @Text({ min: 1, max: 20 })
  name!: string;
}

@ReadOnly('id')
class CatDto {
  @Text({ min: 1, max: 20 })
  name!: string;

  @Optional()
  @Text({ max: 20 })
  color!: string | null;

  @Optional()
  @NestedList(() => KittenDto, { min: 2, max: 3 })
  kittens!: KittenDto[] | null;
}

/** Validates a body whose parser omitted members. */
function refusalOf(body: object, omitted: OmittedMembers): ValidationError {
  Object.defineProperty(body, OMITTED_MEMBERS, { value: omitted });
  try {
    validate(CatDto, body);
  } catch (error) {
    return error as ValidationError;
  }
  throw new Error('It was accepted.');
}

describe('A body with too many members, which the parser omitted', () => {
  it('is refused for the unknown fields that were read, and counts the others', () => {
    const refusal = refusalOf({ name: 'Tom', x: 1, y: 2 }, { kind: 'names', field: '', count: 70, max: 1000 });
    expect(refusal.details.map(({ field }) => field)).toEqual(['x', 'y']);
    expect(refusal.message).toMatch(/And 70 more\.$/);
  });

  it('is not reported to lack a field, which may be an omitted member', () => {
    const { details } = refusalOf({ x: 1, color: 5 }, { kind: 'names', field: '', count: 70, max: 1000 });
    expect(details.map(({ field, code }) => [field, code])).toEqual([
      ['color', 'wrong_type'],
      ['x', 'unknown_field'],
    ]);
  });

  it('reports one detail for each field: an object in a text field is wrong_type', () => {
    const { details } = refusalOf(
      { name: 'Tom', color: { a: 1 } },
      { kind: 'names', field: 'color', count: 70, max: 1000 },
    );
    expect(details.map(({ field, code }) => [field, code])).toEqual([['color', 'wrong_type']]);
  });

  it.each([
    ['id', '"id" has too many members: a body has at most 1000 different names.'],
    ['', 'The request body has too many members: a body has at most 1000 different names.'],
  ])('is refused also if they stand in %p, and nothing else is wrong', (field, message) => {
    const { details } = refusalOf({ name: 'Tom', id: { a: 1 } }, { kind: 'names', field, count: 2, max: 1000 });
    expect(details).toEqual([{ field, code: 'too_many', message, params: { max: 1000 } }]);
  });

  describe('in arrays with too many elements', () => {
    const omitted = { kind: 'elements', field: '', count: 1, max: 10_000 } as const;

    it('is refused if nothing that was read is wrong', () => {
      const message = 'The request body has too many elements: its arrays have at most 10000 together.';
      const { details } = refusalOf({ name: 'Tom', id: [1] }, omitted);
      expect(details).toEqual([{ field: '', code: 'too_many', message, params: { max: 10_000 } }]);
    });

    it('counts none of them', () => {
      const { message } = refusalOf({ name: 'Tom', x: [1] }, omitted);
      expect(message).toBe('"x" is not a field that can be set here.');
    });

    it('is not reported to have too few, because some are omitted', () => {
      const { details } = refusalOf({ name: 'Tom', kittens: [{ name: 'Kit' }] }, omitted);
      expect(details.map(({ field }) => field)).toEqual(['']);
    });
  });
});
