import {
  Choices,
  DateTime,
  type DtoClass,
  Filterable,
  Flag,
  KeptIfAbsent,
  Money,
  NestedList,
  Optional,
  ReadOnly,
  RowId,
  Sortable,
  Text,
} from '@items/fields';

import type { Stamps } from './collection.js';
import { defineCollection } from './define-collection.js';

class PartDto {
  @Text({ max: 20 })
  title!: string;

  @Money()
  cost!: number;

  @Optional()
  @DateTime()
  made_at!: string | null;
}

class ThingDto {
  @Sortable()
  @Filterable()
  @Text({ max: 20 })
  name!: string;

  @Sortable()
  @Optional()
  @Money()
  price!: number | null;

  @Filterable()
  @KeptIfAbsent()
  @Flag()
  sold: boolean | undefined;

  @Optional()
  @DateTime()
  sold_at!: string | null;

  @Choices(['red', 'blue'])
  colors!: string[];

  @NestedList(() => PartDto, { min: 0, max: 9 })
  parts!: PartDto[];

  @Text({ max: 20, writeOnly: true })
  password!: string;

  @ReadOnly()
  @RowId()
  readonly user_id?: undefined;

  @ReadOnly()
  @Text({ max: 50 })
  readonly label?: undefined;
}

interface Thing extends Stamps {
  readonly name: string;
  readonly price: number | null;
  readonly sold: boolean;
  readonly sold_at: string | null;
  readonly colors: readonly string[];
  readonly parts: readonly PartDto[];
  readonly user_id: string;
  readonly label: string;
}

const things = defineCollection<ThingDto, Thing, { creator: string | null }>({
  name: 'things',
  singular: 'thing',
  dto: ThingDto,
  parent: 'user_id',
  countedFilters: [['sold']],
  defaults: { sold: false },
  hidden: ['creator'],
  derived: { label: ({ id, creator }) => `${id} by ${String(creator)}` },
  columnNames: { name: 'thing_name' },
});

const parts = [{ title: 'Handle', cost: 0.29, made_at: '1970-01-01T00:00:01.000Z' }];
const fields = { name: 'mug', price: 0.29, sold: true, sold_at: null, colors: ['red'], parts, user_id: 'u' };
const stamps = { id: 'x', created_at: 0, updated_at: 1, lane: 0, seq: 1 };
const row = { ...stamps, ...things.storeNew({ ...fields, creator: 'm' }) };

describe('A collection defined by a class', () => {
  it('has a column for each stored field, nullable if the field is optional, and the hidden columns', () => {
    expect(things.columns.slice(5)).toEqual([
      { name: 'thing_name', nullable: false },
      { name: 'price', nullable: true },
      { name: 'sold', nullable: false },
      { name: 'sold_at', nullable: true },
      { name: 'colors', nullable: false },
      { name: 'parts', nullable: false },
      { name: 'user_id', nullable: false },
      { name: 'creator', nullable: true },
    ]);
  });

  it('stores money in cents, booleans as 1 or 0, times in milliseconds, and lists and objects as JSON', () => {
    expect(things.store({ ...fields, sold_at: '1970-01-01T00:00:01.000Z' })).toEqual({
      thing_name: 'mug',
      price: 29,
      sold: 1,
      sold_at: 1000,
      colors: '["red"]',
      parts: '[{"title":"Handle","cost":29,"made_at":1000}]',
      user_id: 'u',
    });
  });

  it('shows a member as it was sent, in the order of its fields, without hidden columns and write-only fields', () => {
    expect(Object.entries(things.present(row))).toEqual(
      Object.entries({
        id: 'x',
        ...fields,
        label: 'x by m',
        created_at: '1970-01-01T00:00:00.000Z',
        updated_at: '1970-01-01T00:00:00.001Z',
      }),
    );
    expect(things.read(row)).toEqual({ ...things.present(row), creator: 'm' });
  });

  it('ignores undefined fields, and gives a new member its defaults', () => {
    expect(things.store({ name: 'mug', sold: undefined, price: null })).toEqual({ thing_name: 'mug', price: null });
    expect(things.storeNew({ name: 'mug', sold: undefined })).toMatchObject({
      thing_name: 'mug',
      sold: 0,
      price: null,
    });
    expect(things.store({ password: 'p', label: 'l' } as object)).toEqual({});
  });

  it('is sortable by fields with @Sortable() and by the times', () => {
    expect(things.sortable).toEqual(['name', 'price', 'created_at', 'updated_at']);
    class EmptyDto {}
    const { sortable } = defineCollection({ name: 'a', singular: 'b', dto: EmptyDto, sortableTimes: ['created_at'] });
    expect(sortable).toEqual(['created_at']);
  });

  it('is filterable by fields with @Filterable(), each with its own total within the parent', () => {
    const { filters, countedFilters } = things;
    expect(filters['name']?.parse('a'.repeat(20))).toBe('a'.repeat(20));
    expect(filters['name']?.max).toBe(20);
    expect(filters['sold']?.parse('true')).toBe(1);
    expect(countedFilters).toEqual([['user_id'], ['user_id', 'name'], ['user_id', 'sold'], ['sold']]);
  });

  it('filters by an id in either case; a malformed id matches nothing', () => {
    class NoteDto {
      @Filterable()
      @RowId()
      book_id!: string;
    }
    const { filters } = defineCollection<NoteDto>({ name: 'notes', singular: 'note', dto: NoteDto });
    const id = '01890000-0000-7000-8000-00000000000a';
    expect(filters['book_id']?.parse(id.toUpperCase())).toBe(id);
    expect(filters['book_id']?.parse('x')).toBe('00000000-0000-0000-0000-000000000000');
  });

  it('has a column for a parent that is not a field, and no updated_at if members never change', () => {
    class PastDto {
      @Text({ max: 20 })
      word!: string;
    }
    const past = defineCollection({ name: 'a', singular: 'b', dto: PastDto, parent: 'order_id', immutable: true });
    expect(past.columns.slice(5)).toEqual([
      { name: 'word', nullable: false },
      { name: 'order_id', nullable: false },
    ]);
    const values = past.storeNew({ word: 'w', order_id: 'o' } as object);
    expect(values).toEqual({ word: 'w', order_id: 'o' });
    expect(past.present({ ...stamps, ...values })).toEqual({
      id: 'x',
      word: 'w',
      created_at: '1970-01-01T00:00:00.000Z',
    });
  });

  it('has at most 100 members per page, or maxPageSize', () => {
    class EmptyDto {}
    const shelf = { name: 'books', singular: 'book', dto: EmptyDto };
    expect(defineCollection(shelf).maxPageSize).toBe(100);
    expect(defineCollection({ ...shelf, maxPageSize: 20 }).maxPageSize).toBe(20);
    for (const maxPageSize of [0, 101, 1.5, Number.NaN]) {
      expect(() => defineCollection({ ...shelf, maxPageSize })).toThrow(
        'maxPageSize of "books" must be a whole number from 1 to 100.',
      );
    }
  });

  it('reads fewer members per query if they may be large', () => {
    class LineDto {
      @Text({ max: 200 })
      name!: string;
    }
    class LargeDto {
      @Text({ max: 100_000 })
      text!: string;
    }
    class LongDto {
      @NestedList(() => LineDto, { min: 1, max: 1_000 })
      lines!: LineDto[];
    }
    const atOnce = (dto: DtoClass): number | undefined =>
      defineCollection({ name: 'a', singular: 'b', dto }).rowsPerRead;
    expect([atOnce(LineDto), atOnce(LargeDto), atOnce(LongDto)]).toEqual([100, 10, 4]);
  });

  it('refuses a filter by money', () => {
    class PricedDto {
      @Filterable()
      @Money()
      price!: number;
    }
    expect(() => defineCollection({ name: 'a', singular: 'b', dto: PricedDto })).toThrow('@Filterable() on "price"');
  });
});
