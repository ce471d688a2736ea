import 'reflect-metadata';

import { Choices, DateTime, Integer, Money, Nested, Optional, ReadOnly, Text } from '@items/fields';
import fc from 'fast-check';
import { fastify, type FastifyInstance, type FastifyReply } from 'fastify';

import { anyPageSchema, resourceSchema } from './resource-schemas.js';

const text = fc.string({ unit: 'binary' });
const time = fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
const nullable = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(value, { nil: null });

const item = fc.record({
  id: fc.uuid({ version: 7 }),
  name: text,
  description: nullable(text),
  color: nullable(text),
  price: nullable(fc.integer({ min: 0, max: 99_999_999_999 }).map((cents) => cents / 100)),
  created_at: time,
  updated_at: time,
});

class ItemInputDto {
  @Text({ min: 1, max: 200 })
  name!: string;

  @Optional()
  @Text({ max: 2000 })
  description!: string | null;

  @Optional()
  @Text({ max: 50 })
  color!: string | null;

  @Optional()
  @Money()
  price!: number | null;
}

class SizeDto {
  @Integer({ min: 1, max: 9 })
  width!: number;

  @Optional()
  @Text({ max: 9 })
  unit!: string | null;
}

/** A class with every kind of field that items lack. */
class PartInputDto {
  @Optional()
  @DateTime()
  expires_at!: string | null;

  @Optional()
  @Nested(() => SizeDto)
  size!: SizeDto | null;

  @Choices(['a', 'b'])
  marks!: string[];

  @ReadOnly()
  @Optional()
  @DateTime()
  readonly last_used_at?: undefined;
}

const part = fc.record({
  id: fc.uuid({ version: 7 }),
  expires_at: nullable(time),
  size: nullable(fc.record({ width: fc.maxSafeInteger(), unit: nullable(text) })),
  marks: fc.array(text),
  last_used_at: nullable(time),
  created_at: time,
  updated_at: time,
});

const page = fc.record(
  {
    items: fc.array(item, { maxLength: 5 }),
    page: fc.maxSafeNat(),
    per_page: fc.nat(100),
    total: fc.maxSafeNat(),
    limit: fc.nat(100),
    next_cursor: text,
  },
  { requiredKeys: ['items'] },
);

/** Makes Fastify send a response with this schema for 200. */
class Serialiser {
  private readonly app: FastifyInstance = fastify();
  private next: unknown;

  constructor(schema: object) {
    this.app.get('/', { schema: { response: { 200: schema } } }, (_request, reply) => reply.send(this.next));
    this.app.get('/error', { schema: { response: { 200: schema } } }, (_request, reply: FastifyReply) => {
      void reply.code(404).header('content-type', 'application/json').send('{"error":"None.","code":"none"}');
    });
  }

  async send(value: unknown): Promise<string> {
    this.next = value;
    return (await this.app.inject('/')).payload;
  }

  async error(): Promise<string> {
    return (await this.app.inject('/error')).payload;
  }
}

describe('A resource is serialised by its schema as JSON.stringify would, byte for byte', () => {
  const cases: [name: string, schema: object, values: fc.Arbitrary<unknown>][] = [
    ['an item', resourceSchema(ItemInputDto), item],
    ['a page of items, in either style', anyPageSchema('items', resourceSchema(ItemInputDto)), page],
    ['a nested one', resourceSchema(PartInputDto), part],
  ];

  it.each(cases)('%s', async (_name, schema, values) => {
    const serialiser = new Serialiser(schema);
    await fc.assert(
      fc.asyncProperty(values, async (value) => {
        expect(await serialiser.send(value)).toBe(JSON.stringify(value));
      }),
      { numRuns: 300 },
    );
  });

  it('does not change an error', async () => {
    const serialiser = new Serialiser(resourceSchema(ItemInputDto));
    expect(await serialiser.error()).toBe('{"error":"None.","code":"none"}');
  });
});
