import { Choice, Float, Integer, Optional, RowId, Sortable, Text } from '@items/fields';
import { encodeCursor, type ListRequest } from '@items/paging';
import type { Database } from '../database/database.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { openDatabase } from '../opening/open-database.js';
import { Schema } from '../schema/schema.js';
import type { DatabaseSchema } from '../database/database-options.js';
import { onBothDatabases } from '@items/testing';

import { CollectionService } from '../collections/collection-service.js';
import { haveRoom, keyBytesOf, MAX_KEY_BYTES, MAX_SORTABLE_TEXT } from './cursor-room.js';
import { sealOf } from '../lists/cursors.js';
import { defineCollection } from './define-collection.js';

const MAX_CURSOR = 4096;

class TomeDto {
  @Sortable()
  @Text({ max: MAX_SORTABLE_TEXT })
  title!: string;

  @Sortable()
  @Optional()
  @Text({ max: 200 })
  note!: string | null;

  @Sortable()
  @Text({ max: 244 })
  shelf!: string;

  @Sortable()
  @Integer({ min: 0, max: Number.MAX_SAFE_INTEGER })
  pages!: number;
}

const tomes = defineCollection({ name: 'tomes', singular: 'tome', dto: TomeDto });

type Migration = InstanceType<DatabaseSchema['migrations'][number]>;

class CreateTomes1700000000001 implements Migration {
  readonly name = 'CreateTomes1700000000001';

  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    const schema = new Schema(runner);
    const { text, int } = schema;
    await schema.createCollection({
      table: 'tomes',
      columns: [`title ${text} NOT NULL`, `note ${text}`, `shelf ${text} NOT NULL`, `pages ${int} NOT NULL`],
      sortable: [{ column: 'created_at' }],
      filters: [],
    });
  }
}

onBothDatabases(
  'SPEC §4.2: a cursor is at most 4096 characters for any rows',
  (config): Promise<Database> => openDatabase(config, { migrations: [CreateTomes1700000000001] }),
  (under) => {
    let service: CollectionService<object & { id: string }, TomeDto>;
    const requestOf = (sort: readonly string[], cursor?: string): ListRequest => ({
      style: 'cursor',
      limit: 1,
      sort: sort.map((field) => ({ field, descending: false })),
      filter: {},
      ...(cursor !== undefined && { cursor }),
    });

    beforeAll(async () => {
      const policy = { seals: [sealOf('a secret of this test')], ttlMs: 60_000 };
      service = new CollectionService(under.database, new Idempotency(under.database), policy, tomes as never);
      // The longest characters in UTF-8, in JSON, and in both.
      for (const character of ['\u{10ffff}', '\u0001', '"', '\u{10ffff}']) {
        const title = character.repeat(MAX_SORTABLE_TEXT);
        const tome = {
          title,
          note: character.repeat(200),
          shelf: character.repeat(244),
          pages: Number.MAX_SAFE_INTEGER,
        };
        await service.create(tome, '/tomes');
      }
    });

    it.each([['title'], ['note,shelf'], ['note,pages,created_at,updated_at'], ['shelf,note']])(
      'a walk by %s through the longest values has short cursors',
      async (keys) => {
        const sort = keys.split(',');
        const seen: unknown[] = [];
        for (let cursor: string | undefined, page = 0; page === 0 || cursor !== undefined; page += 1) {
          const { body } = await service.list(requestOf(sort, cursor), '/tomes');
          seen.push(...(body['tomes'] as { id: string }[]).map(({ id }) => id));
          cursor = body['next_cursor'] as string | undefined;
          if (cursor !== undefined) expect(cursor.length).toBeLessThanOrEqual(MAX_CURSOR);
        }
        expect(new Set(seen).size).toBe(4);
        expect(seen).toHaveLength(4);
      },
    );

    it.each(['title,pages', 'title,note', 'note,shelf,title', 'note,shelf,created_at,updated_at'])(
      'a sort by %s, which may need more, is 400 in cursor style only',
      async (keys) => {
        const sort = keys.split(',');
        const list = async (request: ListRequest): Promise<unknown> => (await service.list(request, '/tomes')).body;
        await expect(list(requestOf(sort))).rejects.toMatchObject({
          status: 400,
          details: [{ field: 'sort', code: 'sort_too_long' }],
        });
        const { sort: parsed } = requestOf(sort);
        await expect(list({ style: 'offset', page: 1, perPage: 2, sort: parsed, filter: {} })).resolves.toMatchObject({
          total: 4,
        });
      },
    );
  },
);

describe('The room for sort keys in a cursor', () => {
  const position = {
    fingerprint: 'k3Jd92_-aB0',
    issuedAtMs: Number.MAX_SAFE_INTEGER,
    epoch: 'Yx3_-aB9',
    snapshot: Array.from({ length: 16 }, () => Number.MAX_SAFE_INTEGER),
    id: '0193463f-7a3c-7cc1-9d7a-3f1c2b4d5e6f',
  };
  const lengthOf = (key: readonly (string | number | null)[]): number =>
    encodeCursor({ ...position, key }, sealOf('a secret')).length;

  it('is 4096 characters minus everything else in a cursor', () => {
    expect(lengthOf(['\u0001'.repeat(MAX_SORTABLE_TEXT)])).toBeLessThanOrEqual(MAX_CURSOR);
    expect(lengthOf(['x'.repeat(MAX_KEY_BYTES - 2)])).toBeLessThanOrEqual(MAX_CURSOR);
  });

  it('includes the commas between the keys', () => {
    expect([haveRoom([MAX_KEY_BYTES]), haveRoom([MAX_KEY_BYTES + 1])]).toEqual([true, false]);
    expect([haveRoom([1, MAX_KEY_BYTES - 2]), haveRoom([1, MAX_KEY_BYTES - 1]), haveRoom([])]).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is computed from the longest value of each type', () => {
    class ManyDto {
      @Sortable()
      @Choice(['a', 'é"'])
      word!: string;

      @Sortable()
      @Float({ min: -1e308, max: 1e308 })
      ratio!: number;

      @Sortable()
      @RowId()
      item_id!: string;
    }
    expect(defineCollection({ name: 'many', singular: 'one', dto: ManyDto }).keyBytes).toEqual({
      word: 6,
      ratio: 24,
      item_id: 218,
    });
    expect(JSON.stringify(-Number.MAX_VALUE).length).toBe(24);
  });

  it('a text that does not fit stops the start with its maximum length', () => {
    class LongDto {
      @Sortable()
      @Text({ max: MAX_SORTABLE_TEXT + 1 })
      plot!: string;
    }
    expect(() => defineCollection({ name: 'films', singular: 'film', dto: LongDto })).toThrow(
      '@Sortable() on "plot": a sortable text needs "max", at most 450 characters.',
    );
    const endless = { schema: { type: 'string' }, kind: 'plain' } as unknown as Parameters<typeof keyBytesOf>[1];
    expect(() => keyBytesOf('plot', endless)).toThrow('at most 450');
  });
});
