import {
  Choice,
  Choices,
  DateTime,
  DefaultsTo,
  definitionOf,
  type DtoClass,
  type FieldDecorator,
  Filterable,
  Flag,
  Float,
  Integer,
  KeptIfAbsent,
  KeptOrCleared,
  Money,
  Nested,
  NestedList,
  Optional,
  ReadOnly,
  replacementOf,
  RowId,
  Sortable,
  Text,
  Texts,
  validate,
} from './index.js';

class PartDto {
  @Text({ max: 3 })
  name!: string;
}

const ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
const TIME = '2026-11-20T09:30:00.000Z';

/** Kind of field, an accepted value, and refused values of its type and of other types. */
const KINDS: readonly [string, FieldDecorator, unknown, readonly unknown[]][] = [
  ['Text', Text({ min: 1, max: 3 }), 'abc', ['abcd', 5, {}]],
  ['Texts', Texts({ maxItems: 1, max: 3, each: { matches: /^a/, expected: 'words' } }), ['a'], [['a', 'ab'], 5, {}]],
  ['Choice', Choice(['a', 'b']), 'a', ['c', 5, {}]],
  ['Choices', Choices(['a', 'b']), ['a'], [['c'], 5, {}]],
  ['Integer', Integer({ min: 1, max: 9 }), 5, [10, '5', {}]],
  ['Float', Float({ min: 0, max: 1 }), 0.5, [2, '0.5', {}]],
  ['Money', Money(), 1.5, [1.555, '1.5', {}]],
  ['Flag', Flag(), true, ['true', 1, {}]],
  ['DateTime', DateTime(), TIME, ['yesterday', 5, {}]],
  ['RowId', RowId(), ID, ['1', 5, {}]],
  ['Nested', Nested(() => PartDto), { name: 'a' }, [{ name: 5 }, 5, []]],
  ['NestedList', NestedList(() => PartDto, { min: 1, max: 2 }), [{ name: 'a' }], [[], 5, {}]],
];

/** Further decorators of a field, and the result if it is omitted. Undefined: an omission is an error. */
const NOTES: readonly [string, FieldDecorator, object | undefined][] = [
  ['Sortable', Sortable(), undefined],
  ['Filterable', Filterable(), undefined],
  ['Optional', Optional(), { value: null }],
  ['KeptIfAbsent', KeptIfAbsent(), { value: undefined }],
  ['KeptOrCleared', KeptOrCleared(), { value: undefined }],
];

/** A class with one field, `value`. */
function classWith(decorators: readonly FieldDecorator[], Base: DtoClass = class {}): DtoClass {
  const Dto = class extends Base {};
  for (const decorate of decorators) decorate(Dto.prototype, 'value');
  return Dto;
}

function accepts(dto: DtoClass, value: unknown): boolean {
  try {
    validate(dto, value === undefined ? {} : { value });
    return true;
  } catch {
    return false;
  }
}

const PAIRS = KINDS.flatMap((kind) => NOTES.map((note) => [kind, note] as const));

describe('A field that a class inherits and declares again', () => {
  it.each(PAIRS)('has the decorators of both classes: %p, %p', (kind, note) => {
    const [, decorate, good, bad] = kind;
    const [, mark, absent] = note;
    const together = classWith([decorate, mark]);
    const Grand = classWith([], classWith([mark], classWith([decorate])));
    for (const dto of [
      Grand,
      classWith([decorate], classWith([mark])),
      classWith([mark], classWith([mark, decorate])),
    ]) {
      expect(accepts(dto, good)).toBe(true);
      for (const value of bad) expect([value, accepts(dto, value)]).toEqual([value, false]);
      expect(accepts(dto, undefined)).toBe(absent !== undefined);
      const { fields } = definitionOf(dto);
      expect(fields).toEqual(definitionOf(together).fields);
    }
  });

  it.each(KINDS)('keeps its rules with a default, and stays read-only: %s', (_, decorate, good, bad) => {
    const dto = classWith([DefaultsTo(7)], classWith([decorate]));
    for (const value of bad) expect(accepts(dto, value)).toBe(false);
    expect(accepts(dto, good)).toBe(true);
    const readOnly = classWith([ReadOnly()], classWith([decorate]));
    const still = classWith([Sortable()], readOnly);
    for (const each of [readOnly, still, classWith([decorate], readOnly)]) {
      expect(validate(each, { value: bad[0] })).toEqual({});
      expect(definitionOf(each).fields.get('value')?.rules).toHaveLength(
        definitionOf(dto).fields.get('value')?.rules.length ?? 0,
      );
    }
  });

  it.each(KINDS.flatMap((former) => KINDS.filter((kind) => kind !== former).map((kind) => [former, kind] as const)))(
    'has no rule of its former kind: %p, %p',
    ([, former], [, decorate, good, bad]) => {
      const dto = classWith([decorate], classWith([former, Optional(), Sortable()]));
      expect(accepts(dto, good)).toBe(true);
      for (const value of bad) expect([value, accepts(dto, value)]).toEqual([value, false]);
      expect(definitionOf(dto).fields).toEqual(definitionOf(classWith([decorate, Optional(), Sortable()])).fields);
    },
  );

  it('changes neither the base class nor its other subclasses', () => {
    const base = classWith([Text({ max: 3 })]);
    classWith([Sortable(), Optional()], base);
    expect(definitionOf(base).fields.get('value')).toMatchObject({ sortable: false, absence: 'refused' });
    expect(definitionOf(classWith([], base)).fields.get('value')).toMatchObject({ sortable: false });
  });

  it('can be declared again in the body of a replacement', () => {
    const dto = classWith(
      [Sortable()],
      replacementOf(classWith([Text({ max: 3 })]) as DtoClass<{ value: string }>, 'value'),
    );
    expect([accepts(dto, undefined), accepts(dto, 'abc'), accepts(dto, 5)]).toEqual([true, true, false]);
  });

  it('cannot have two kinds in one class', () => {
    expect(() => classWith([Text({ max: 3 }), Integer({ min: 0, max: 1 })])).toThrow(
      '"value" has decorators of two kinds: remove one of them.',
    );
  });
});
