import { Choice, DateTime, Flag, Float, Integer, Optional, RowId, Sortable, Text } from '@items/fields';
import { parseListQuery } from '@items/paging';
import type { Database } from '../database/database.js';
import type { DatabaseSchema } from '../database/database-options.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { openDatabase } from '../opening/open-database.js';
import { Schema } from '../schema/schema.js';
import { onBothDatabases } from '@items/testing';

import { CollectionService } from '../collections/collection-service.js';
import { sealOf } from '../lists/cursors.js';
import { defineCollection } from './define-collection.js';

class ParcelDto {
  @Sortable()
  @Optional()
  @Integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
  count!: number | null;

  @Sortable()
  @Optional()
  @Float({ min: -1e300, max: 1e300 })
  weight!: number | null;

  @Sortable()
  @Optional()
  @DateTime()
  due_at!: string | null;

  @Sortable()
  @Choice(['large', 'larger', 'small'])
  size!: string;
}

const parcels = defineCollection({ name: 'parcels', singular: 'parcel', dto: ParcelDto });

type Migration = InstanceType<DatabaseSchema['migrations'][number]>;

class CreateParcels1700000000001 implements Migration {
  readonly name = 'CreateParcels1700000000001';

  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, float } = schema;
    await schema.createCollection({
      table: 'parcels',
      columns: [`count ${int}`, `weight ${float}`, `due_at ${int}`, `size ${text} NOT NULL`],
      sortable: ['count', 'weight', 'due_at', 'size'].map((column) => ({ column, nullable: column !== 'size' })),
      filters: [],
    });
  }
}

const COUNTS = [Number.MIN_SAFE_INTEGER, -1, 0, 3, 3, Number.MAX_SAFE_INTEGER, null];
const WEIGHTS = [-1e300, -0.3, 0, 0.1, 0.30000000000000004, 1e300, null];
const TIMES = [...[0, 1, 1000, 1000, -1, 253_402_300_799_999].map((ms) => new Date(ms).toISOString()), null];
const SIZES = ['large', 'larger', 'small', 'small', 'large', 'larger', 'small'];

onBothDatabases(
  'SPEC §4.1: ranges of every kind of field',
  (config): Promise<Database> => openDatabase(config, { migrations: [CreateParcels1700000000001] }),
  (under) => {
    let service: CollectionService<{ id: string }, ParcelDto>;
    beforeAll(async () => {
      const policy = { seals: [sealOf('a secret of this test')], ttlMs: 60_000 };
      service = new CollectionService(under.database, new Idempotency(under.database), policy, parcels as never);
      for (const [index, count] of COUNTS.entries()) {
        const parcel = { count, weight: WEIGHTS[index], due_at: TIMES[index], size: SIZES[index] };
        await service.create(parcel as ParcelDto, '/parcels');
      }
    });

    /** Returns the values of the first sort field, in pages of two. */
    async function valuesOf(field: string, query: string): Promise<unknown[]> {
      const values: unknown[] = [];
      let cursor: string | undefined;
      do {
        const pairs = [...new URLSearchParams(`${query}&limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`)];
        const { json } = await service.list(parseListQuery(pairs, parcels), '/parcels');
        const page = JSON.parse(String(json)) as { parcels: Record<string, unknown>[]; next_cursor?: string };
        values.push(...page.parcels.map((parcel) => parcel[field]));
        cursor = page.next_cursor;
      } while (cursor !== undefined);
      return values;
    }

    it.each<[field: string, query: string, expected: readonly unknown[]]>([
      ['count', 'count_min=2.5&count_max=3.0', [3, 3]],
      ['count', 'count_min=-1e400', [Number.MIN_SAFE_INTEGER, -1, 0, 3, 3, Number.MAX_SAFE_INTEGER]],
      ['count', 'count_min=9007199254740991', [Number.MAX_SAFE_INTEGER]],
      ['count', 'count_min=9007199254740991.000001', []],
      ['count', 'count_max=-9007199254740991.5&sort=-count', []],
      ['count', 'count_max=0&sort=-count', [0, -1, Number.MIN_SAFE_INTEGER]],
      ['weight', 'weight_min=0.1&weight_max=0.3', [0.1]],
      ['weight', 'weight_min=0.1&weight_max=0.30000000000000004', [0.1, 0.30000000000000004]],
      ['weight', 'weight_min=0.10000000000000000001&weight_max=1', [0.30000000000000004]],
      ['weight', 'weight_max=-0', [-1e300, -0.3, 0]],
      ['weight', 'weight_min=-1e999&weight_max=1e999&sort=-weight', [1e300, 0.30000000000000004, 0.1, 0, -0.3, -1e300]],
      ['weight', 'weight_min=1e999', []],
      [
        'due_at',
        'due_at_min=1970-01-01T00:00:00.0001Z&due_at_max=1970-01-01T01:00:01%2B01:00',
        [1, 1000, 1000].map(iso),
      ],
      ['due_at', 'due_at_max=1970-01-01T00:00:00Z&sort=-due_at', [0, -1].map(iso)],
      ['due_at', 'due_at_min=9999-12-31T23:59:59.9999Z', []],
      ['size', 'size_prefix=larg', ['large', 'large', 'larger', 'larger']],
      ['size', 'size_prefix=larger&sort=-size', ['larger', 'larger']],
    ])('%s: ?%s', async (field, query, expected) => {
      expect(await valuesOf(field, query)).toEqual(expected);
    });
  },
);

function iso(ms: number): string {
  return new Date(ms).toISOString();
}

describe('The range of a sortable field', () => {
  class MixedDto {
    @Sortable()
    @Flag()
    isGift!: boolean;

    @Sortable()
    @RowId()
    owner!: string;

    @Text({ max: 10 })
    note!: string;
  }

  it('exists for numbers, times and texts, but not for ids', () => {
    const mixed = defineCollection({ name: 'mixed', singular: 'mixed', dto: MixedDto, sortableTimes: ['created_at'] });
    expect(Object.keys(mixed.ranges ?? {})).toEqual(['created_at']);
    expect(Object.keys(parcels.ranges ?? {})).toEqual([
      'count',
      'weight',
      'due_at',
      'size',
      'created_at',
      'updated_at',
    ]);
  });
});
