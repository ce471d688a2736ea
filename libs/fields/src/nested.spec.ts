import { ValidationError } from '@items/conventions';

import { NestedList } from './arrays.js';
import { schemaOf } from './schema-of.js';
import { validate, validateStored } from './validate.js';
import { Nested } from './nested.js';
import { Integer } from './numbers.js';
import { Optional, ReadOnly } from './presence.js';
import { Text } from './text.js';

@ReadOnly('name', 'unit_price')
class LineDto {
  @Text({ min: 3, max: 5 })
  item_id!: string;

  @Integer({ min: 1, max: 10_000 })
  quantity!: number;
}

class OrderDto {
  @NestedList(() => LineDto, { min: 1, max: 100 })
  lines!: LineDto[];

  @Optional()
  @Nested(() => OrderDto)
  previous!: OrderDto | null;
}

function faultsOf(body: object): string[] {
  try {
    validate(OrderDto, body);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return error.details.map(({ field, code, message }) => `${field} ${code}: ${message}`);
  }
  return [];
}

const line = { item_id: 'abc', quantity: 1 };

describe('SPEC §7: an error names the field by its path', () => {
  it.each([
    [[{ ...line, quantity: 0 }], 'lines.0.quantity out_of_range: "lines.0.quantity" must be from 1 to 10000.'],
    [[line, { quantity: 1 }], 'lines.1.item_id required: "lines.1.item_id" is required.'],
    [[{ ...line, item_id: 'ab' }], 'lines.0.item_id too_short: "lines.0.item_id" must be at least 3 characters long.'],
    [[{ ...line, size: 1 }], 'lines.0.size unknown_field: "lines.0.size" is not a field that can be set here.'],
    [[5], 'lines.0 wrong_type: "lines.0" must be an object.'],
    [[null], 'lines.0 wrong_type: "lines.0" must be an object.'],
    [[[line]], 'lines.0 wrong_type: "lines.0" must be an object.'],
    [[], 'lines too_few: "lines" must have at least 1.'],
    [Array(101).fill(line), 'lines too_many: "lines" must have at most 100.'],
    [line, 'lines wrong_type: "lines" must be an array.'],
  ])('%j', (lines, fault) => {
    expect(faultsOf({ lines })).toEqual([fault]);
  });

  it('the path has any depth', () => {
    const body = { lines: [line], previous: { lines: [line], previous: { lines: [{ ...line, quantity: 'x' }] } } };
    expect(faultsOf(body)).toEqual([
      'previous.previous.lines.0.quantity wrong_type: "previous.previous.lines.0.quantity" must be a whole number.',
    ]);
  });
});

describe('an accepted value', () => {
  it('is made of instances, without read-only fields', () => {
    const { lines, previous } = validate(OrderDto, { lines: [{ ...line, name: 'Mug', unit_price: 1 }] });
    expect(lines[0]).toBeInstanceOf(LineDto);
    expect(lines).toEqual([line]);
    expect(previous).toBeNull();
  });
});

describe('A member that the service stores', () => {
  class StoredLineDto extends LineDto {
    @ReadOnly()
    @Text({ max: 100 })
    name!: string;
  }
  class StoredOrderDto {
    @NestedList(() => StoredLineDto, { min: 1, max: 100 })
    lines!: StoredLineDto[];

    @ReadOnly()
    @Integer({ min: 0, max: 100 })
    total!: number;
  }
  const refusal = (member: object, mayLack?: 'read-only fields'): string[] => {
    try {
      validateStored(StoredOrderDto, member, mayLack);
    } catch (error) {
      return (error as ValidationError).details.map(({ field, code }) => `${field} ${code}`);
    }
    return [];
  };

  it('has its read-only fields, also in nested objects', () => {
    expect(refusal({ lines: [{ ...line, name: 'Mug' }], total: 1 })).toEqual([]);
    expect(refusal({ lines: [line] })).toEqual(['lines.0.name required', 'total required']);
  });

  it('may lack only read-only fields that are set later; present ones are validated', () => {
    expect(refusal({ lines: [line] }, 'read-only fields')).toEqual([]);
    expect(refusal({ lines: [{ quantity: 1, name: 5 }], total: -1 }, 'read-only fields')).toEqual([
      'lines.0.item_id required',
      'lines.0.name wrong_type',
      'total out_of_range',
    ]);
  });
});

describe('its schema', () => {
  it('is part of the schema of the array', () => {
    class CartDto {
      @NestedList(() => LineDto, { min: 1, max: 100, description: 'What to buy.' })
      lines!: LineDto[];
    }
    expect(schemaOf(CartDto)).toMatchObject({
      properties: { lines: { type: 'array', minItems: 1, maxItems: 100, items: schemaOf(LineDto) } },
    });
  });
});
