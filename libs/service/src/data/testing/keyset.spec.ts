import { createHmac } from 'node:crypto';

import { ExpiredCursorError, InvalidCursorError } from '@items/conventions';
import { booleanFilter, keyset, type KeysetOptions, parseListUrl, textFilter } from '@items/paging';
import { Sqlite } from '../sqlite/sqlite.js';
import { createDatabase, postgresUnderTest } from '@items/testing';
import { DataSource, EntitySchema, type DataSourceOptions, type SelectQueryBuilder } from 'typeorm';

interface Cat {
  readonly id: number;
  readonly name: string;
  readonly price: number | null;
  readonly tame: boolean;
  readonly born: Date;
}

const CAT = new EntitySchema<Cat>({
  name: 'cat',
  columns: {
    id: { type: Number, primary: true, generated: 'increment' },
    name: { type: String },
    price: { type: 'float', nullable: true },
    tame: { type: Boolean },
    born: { type: Date },
  },
});

const RULES = {
  sortable: ['name', 'price', 'born'],
  filters: { name: textFilter({ max: 20 }), tame: booleanFilter },
};
const secret = (text: string) => (bytes: Uint8Array) => createHmac('sha256', text).update(bytes).digest();
const OPTIONS: KeysetOptions<'cats'> = { mac: secret('a secret'), ttl: 60, name: 'cats' };

/** Prices with ties, nulls and a fraction without a short decimal form; times within one millisecond. */
const PRICES = [3, null, 0.1 + 0.2, 3, null, 1, 3, 0.3, 2, 1e-7];
const BORN = '2026-11-20 09:30:00.000';

const databases: readonly { name: string; open: () => Promise<{ options: DataSourceOptions; drop(): unknown }> }[] = [
  {
    name: 'SQLite',
    open: async () => ({
      options: { type: 'better-sqlite3', database: ':memory:', driver: Sqlite },
      drop: () => undefined,
    }),
  },
  {
    name: 'PostgreSQL',
    open: async () => {
      const { url, drop } = await createDatabase();
      return { options: { type: 'postgres', url }, drop };
    },
  },
];

for (const { name, open } of databases) {
  const suite = name === 'PostgreSQL' && postgresUnderTest() === undefined ? describe.skip : describe;
  suite(`keyset() on ${name}`, () => {
    let source: DataSource;
    let drop: () => unknown;

    beforeAll(async () => {
      const database = await open();
      ({ drop } = database);
      source = await new DataSource({ ...database.options, entities: [CAT], synchronize: true }).initialize();
    });

    beforeEach(async () => {
      await source.query('DELETE FROM cat');
      const tame = (index: number) => (name === 'SQLite' ? String(index % 2) : String(index % 2 === 1));
      const rows = PRICES.map(
        (price, index) => `('cat ${String(index)}', ${String(price)}, ${tame(index)}, '${BORN}${String(9 - index)}')`,
      );
      await source.query(`INSERT INTO cat (name, price, tame, born) VALUES ${rows.join(', ')}`);
    });

    afterAll(async () => {
      await source.destroy();
      await drop();
    });

    const cats = (): SelectQueryBuilder<Cat> => source.getRepository(CAT).createQueryBuilder('cat');
    const get = (url: string, options = OPTIONS) => keyset(cats(), parseListUrl(url, RULES), options);

    /** Returns the names of a walk, which follows `Link` like a client. */
    async function walk(url: string, between: () => Promise<unknown> = async () => undefined): Promise<string[]> {
      const { body, link } = await get(url);
      const names = body.cats.map((cat) => cat.name);
      const next = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
      expect(next !== undefined).toBe('next_cursor' in body);
      if (next === undefined) return names;
      await between();
      return [...names, ...(await walk(next, between))];
    }

    const order = (...indexes: readonly number[]) => indexes.map((index) => `cat ${String(index)}`);

    it.each([
      ['', order(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)],
      ['&sort=price', order(9, 7, 2, 5, 8, 0, 3, 6, 1, 4)],
      ['&sort=-price', order(0, 3, 6, 8, 5, 2, 7, 9, 1, 4)],
      ['&sort=price,-name', order(9, 7, 2, 5, 8, 6, 3, 0, 4, 1)],
      ['&sort=born', order(9, 8, 7, 6, 5, 4, 3, 2, 1, 0)],
      ['&tame=true&sort=-born', order(1, 3, 5, 7, 9)],
      ['&name=cat+1,cat+3', order(1, 3)],
    ])('walks ?limit=…%s: every row once, nulls last, ties by id, for any page size', async (query, expected) => {
      for (const limit of [1, 3, 100]) expect(await walk(`/cats?limit=${String(limit)}${query}`)).toEqual(expected);
    });

    it('pages in offset style, with the total, and is empty past the end', async () => {
      const { body, link } = await get('/cats?page=2&per_page=3&sort=price');
      expect(body).toMatchObject({ page: 2, per_page: 3, total: 10 });
      expect(body.cats.map((cat) => cat.name)).toEqual(order(5, 8, 0));
      expect(link).toContain('</cats?sort=price&page=3&per_page=3>; rel="next"');
      expect((await get(`/cats?page=${String(Number.MAX_SAFE_INTEGER)}`)).body).toMatchObject({ cats: [], total: 10 });
    });

    it('a walk in creation order neither skips nor repeats a row while others write', async () => {
      const names = await walk('/cats?limit=3', async () => {
        await source.query('UPDATE cat SET price = 100 - coalesce(price, 0)');
        await source.query(`DELETE FROM cat WHERE name = 'cat 2'`);
      });
      expect(names).toEqual(order(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
    });

    it.each(['', '&sort=-name', '&sort=price&tame=true'])(
      'ends even while others insert rows: ?limit=2%s',
      async (query) => {
        const before = (await get(`/cats?limit=100${query}`)).body.cats.map((cat) => cat.name);
        const insert = `INSERT INTO cat (name, price, tame, born) VALUES ('new', 50, ${name === 'SQLite' ? '1' : 'true'}, '${BORN}')`;
        expect(await walk(`/cats?limit=2${query}`, () => source.query(insert))).toEqual(before);
      },
    );

    it('does not change the query, and applies its condition', async () => {
      const query = cats().where('cat.tame = :tame', { tame: true });
      const sql = query.getQuery();
      const { body } = await keyset(query, parseListUrl('/cats?limit=2', RULES), OPTIONS);
      expect(body.cats.map((cat) => cat.name)).toEqual(order(1, 3));
      expect(query.getQuery()).toBe(sql);
    });

    it('walks in the order of a property with the time of creation', async () => {
      const { body } = await get('/cats?limit=2', { ...OPTIONS, createdAt: 'born' });
      expect(body.cats.map((cat) => cat.name)).toEqual(order(9, 8));
    });

    describe('a cursor', () => {
      const cursorOf = async (url: string): Promise<string> => {
        const { body } = await get(url);
        return 'next_cursor' in body ? (body.next_cursor ?? '') : '';
      };

      it.each(['/cats?limit=2&sort=price', '/cats?limit=2&tame=true', '/dogs?limit=2'])(
        'is valid only for its own list, not for %s',
        async (other) => {
          const cursor = await cursorOf('/cats?limit=2');
          await expect(get(`${other}&cursor=${cursor}`)).rejects.toThrow(InvalidCursorError);
        },
      );

      it('is refused if it was made with another secret', async () => {
        const cursor = await cursorOf('/cats?limit=2');
        const other = { ...OPTIONS, mac: secret('another') };
        await expect(get(`/cats?limit=2&cursor=${cursor}`, other)).rejects.toThrow(InvalidCursorError);
      });

      it('expires after its lifetime', async () => {
        const cursor = await cursorOf('/cats?limit=2');
        const later = (seconds: number) => ({ ...OPTIONS, now: () => Date.now() + seconds * 1000 });
        await expect(get(`/cats?limit=2&cursor=${cursor}`, later(50))).resolves.toBeDefined();
        await expect(get(`/cats?limit=2&cursor=${cursor}`, later(61))).rejects.toThrow(ExpiredCursorError);
      });
    });

    it('names the problem if a sort field is not a property', async () => {
      const request = parseListUrl('/cats?sort=age', { sortable: ['age'], filters: {} });
      await expect(keyset(cats(), request, OPTIONS)).rejects.toThrow('the entity has no property "age"');
    });
  });
}
