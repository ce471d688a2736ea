import { schemaOf, validate } from '@items/fields';

import { CreateApiKeyDto, ItemInputDto, ReplaceApiKeyDto, RotationDto } from './index.js';

type Schema = Readonly<Record<string, unknown>> & { readonly properties: Readonly<Record<string, Schema>> };

const DTOS = [ItemInputDto, CreateApiKeyDto, ReplaceApiKeyDto].map((dto) => ({ name: dto.name, dto }));

describe('issue 2: OpenAPI 3.1 is generated from the code', () => {
  it('describes an item as SPEC §2.1 does', () => {
    expect(schemaOf(ItemInputDto)).toEqual({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: expect.objectContaining({ type: 'string', minLength: 1, maxLength: 200, pattern: '\\S' }),
        description: expect.objectContaining({ type: ['string', 'null'], maxLength: 2000 }),
        color: expect.objectContaining({ type: ['string', 'null'], minLength: 1, maxLength: 30, pattern: '^[^,]*$' }),
        price: expect.objectContaining({ type: ['number', 'null'], minimum: 0, maximum: 999_999_999.99 }),
        id: expect.objectContaining({ readOnly: true }),
        created_at: expect.objectContaining({ readOnly: true }),
        updated_at: expect.objectContaining({ readOnly: true }),
      },
    });
  });

  it('requires no optional field, because a client generator ignores the default of a required one', () => {
    for (const dto of [ItemInputDto, CreateApiKeyDto, ReplaceApiKeyDto, RotationDto]) {
      expect(JSON.stringify(schemaOf(dto))).not.toContain('"default"');
    }
    const { grace_seconds: grace } = (schemaOf(RotationDto) as Schema).properties;
    expect(grace?.['description']).toContain('Default: 86400.');
  });

  it('asks for scopes on creation only', () => {
    expect(schemaOf(CreateApiKeyDto)).toMatchObject({ required: ['name', 'scopes'] });
    expect(schemaOf(ReplaceApiKeyDto)).toMatchObject({ required: ['name'] });
  });

  it('nests rate_limit', () => {
    const { rate_limit } = (schemaOf(CreateApiKeyDto) as Schema).properties;
    expect(rate_limit).toMatchObject({ type: ['object', 'null'], required: ['requests', 'seconds'] });
  });

  it.each(DTOS)('$name accepts its own examples', ({ dto }) => {
    const { properties } = schemaOf(dto) as Schema;
    const withExample = Object.entries(properties).filter(([, { examples }]) => Array.isArray(examples));
    const body = Object.fromEntries(withExample.map(([name, { examples }]) => [name, (examples as unknown[])[0]]));
    expect(Object.keys(body).length).toBeGreaterThan(2);
    expect(validate<object>(dto, body)).toMatchObject(body);
  });
});
