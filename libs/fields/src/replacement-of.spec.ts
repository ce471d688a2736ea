import {
  definitionOf,
  Flag,
  KeptIfAbsent,
  Money,
  Nested,
  NestedList,
  Optional,
  ReadOnly,
  replacementOf,
  RowId,
  schemaOf,
  shownSchemaOf,
  Text,
  validate,
} from './index.js';

class PartDto {
  @Text({ max: 9, trim: true })
  title!: string;

  @ReadOnly()
  @Money()
  readonly cost?: undefined;
}

@ReadOnly('id')
class ThingDto {
  @Text({ max: 9, trim: true })
  name!: string;

  @KeptIfAbsent()
  @Flag()
  sold: boolean | undefined;

  @Optional()
  @Nested(() => PartDto)
  part!: PartDto | null;

  @NestedList(() => PartDto, { min: 0, max: 3 })
  parts!: PartDto[];

  @Text({ min: 12, max: 99, writeOnly: true })
  password!: string;

  @ReadOnly()
  @Optional()
  @RowId()
  readonly user_id?: undefined;
}

class ReplaceThingDto extends replacementOf(ThingDto, 'part', 'password') {}

const ID = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';
const sent = { name: 'mug', parts: [{ title: 'a' }], password: 'correct horse' };

describe('A field that the service sets (SPEC §2.4)', () => {
  it('is ignored for any value that a client sends, also within an object', () => {
    const accepted = validate(ThingDto, { ...sent, parts: [{ title: 'a', cost: 'x' }], id: 1, user_id: 7 });
    expect(Object.keys(accepted).sort()).toEqual(['name', 'part', 'parts', 'password', 'sold']);
    expect(accepted.parts.map((part) => Object.entries(part))).toEqual([[['title', 'a']]]);
  });

  it('is a field of the class, but not accepted as input', () => {
    const { fields, accepted, readOnly } = definitionOf(ThingDto);
    expect([...fields.keys()]).toEqual(['name', 'sold', 'part', 'parts', 'password', 'user_id']);
    expect([...accepted.keys()]).toEqual(['name', 'sold', 'part', 'parts', 'password']);
    expect([...readOnly]).toEqual(['id', 'user_id']);
  });

  it('is in the schema of responses, with all fields except write-only ones, each required', () => {
    const { properties, required } = shownSchemaOf(ThingDto) as {
      properties: Record<string, Record<string, unknown>>;
      required: string[];
    };
    expect(required).toEqual(['name', 'sold', 'part', 'parts', 'user_id']);
    expect(properties['name']).toEqual({ type: 'string', minLength: 0, maxLength: 9 });
    expect(properties['user_id']).toMatchObject({ type: ['string', 'null'], format: 'uuid' });
    expect(properties['part']).toMatchObject({ type: ['object', 'null'], required: ['title', 'cost'] });
    expect(properties['parts']).toMatchObject({ type: 'array', items: { required: ['title', 'cost'] } });
  });

  it('is marked as ignored in the schema of the input', () => {
    const { properties } = schemaOf(ThingDto) as { properties: Record<string, object> };
    expect(properties['user_id']).toMatchObject({ readOnly: true });
  });
});

describe('The body of a replacement, derived from the body of the creation (SPEC §2.4)', () => {
  it('keeps the named fields if they are omitted, and clears one that may be null', () => {
    const { name, parts } = sent;
    expect(validate(ReplaceThingDto, { name, parts })).toEqual({ name, parts });
    expect(validate(ReplaceThingDto, { name, parts, part: null })).toEqual({ name, parts, part: null });
  });

  it('validates sent fields by the rules of the creation', () => {
    expect(validate(ReplaceThingDto, { ...sent, user_id: 1, id: 2 })).toEqual(sent);
    const sends = (body: object) => () => validate(ReplaceThingDto, { ...sent, ...body });
    expect(sends({ password: 'short' })).toThrow('"password" must be at least 12 characters long.');
    expect(sends({ password: null })).toThrow('"password" must be a string.');
    expect(sends({ part: { title: 7 } })).toThrow('"part.title" must be a string.');
    expect(() => validate(ReplaceThingDto, { name: 'mug' })).toThrow('"parts" is required.');
    expect(() => validate(ThingDto, { name: 'mug', parts: [] })).toThrow('"password" is required.');
  });

  it('says in its schema which fields are optional, and which of them may be null', () => {
    const { properties, required } = schemaOf(ReplaceThingDto) as {
      properties: Record<string, { type: unknown }>;
      required: string[];
    };
    expect(required).toEqual(['name', 'parts']);
    expect([properties['part']?.type, properties['password']?.type]).toEqual([['object', 'null'], 'string']);
  });

  it('can keep only existing fields', () => {
    expect(() => replacementOf(ThingDto, 'colour' as 'name')).toThrow('ThingDto has no field "colour"');
  });
});

describe('The id of a resource', () => {
  class RowDto {
    @RowId()
    item_id!: string;
  }

  it('is a UUID as the service makes it', () => {
    expect(validate(RowDto, { item_id: ID })).toEqual({ item_id: ID });
    const problem = '"item_id" must be a UUID.';
    expect(validate(RowDto, { item_id: ID.toUpperCase() })).toEqual({ item_id: ID });
    expect(() => validate(RowDto, { item_id: `${ID}\n` })).toThrow(problem);
    expect(() => validate(RowDto, { item_id: 7 })).toThrow('"item_id" must be a string.');
  });

  it('is lower-cased in a text that names a resource, and in no other text', () => {
    class TextsDto {
      @Text({ max: 36, isId: true })
      item_id!: string;

      @Text({ max: 36 })
      note!: string;
    }
    const upper = ID.toUpperCase();
    expect(validate(TextsDto, { item_id: upper, note: upper })).toEqual({ item_id: ID, note: upper });
    expect(validate(TextsDto, { item_id: 'NONE', note: '' }).item_id).toBe('NONE');
    expect(() => validate(TextsDto, { item_id: 7, note: '' })).toThrow('"item_id" must be a string.');
  });
});
