import { CollectionService } from '../../data/collections/collection-service.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { Filterable, Optional, Text } from '@items/fields';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Schema } from '../../data/schema/schema.js';
import { onBothDatabases } from '@items/testing';

import { operationContext } from '../service.testing.js';
import { recountAll } from './recount-all.js';

class MugDto {
  @Filterable()
  @Text({ max: 100 })
  glaze!: string;

  @Filterable()
  @Optional()
  @Text({ max: 100 })
  owner_id!: string | null;
}

const mugs = defineCollection({
  name: 'mugs',
  singular: 'mug',
  dto: MugDto,
  countedFilters: [['glaze', 'owner_id']],
});

type Migration = InstanceType<DatabaseSchema['migrations'][number]>;

class CreateMugs1700000000001 implements Migration {
  readonly name = 'CreateMugs1700000000001';

  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    const schema = new Schema(runner);
    const columns = [`glaze ${schema.text} NOT NULL`, `owner_id ${schema.text}`];
    await schema.createCollection({ table: 'mugs', columns, sortable: [{ column: 'created_at' }], filters: [] });
  }
}

const schema = { migrations: [CreateMugs1700000000001] };
/** Values that JSON and the table store differently. */
const GLAZES = ['red', '"quoted" \\ back', 'two\nlines\u2028\u0001', '😀𝒳', ''];

onBothDatabases(
  'A recount of all totals',
  (config) => openDatabase(config, schema),
  (under) => {
    let service: CollectionService<Member<MugDto>, MugDto, object>;
    const printed: string[] = [];
    const audited: unknown[] = [];

    const recounting = (): Promise<string> =>
      recountAll({
        ...operationContext(under.config, schema, {
          print: (line) => void printed.push(line),
          audit: (...event) => void audited.push(event),
        }),
        counted: [mugs],
      });
    const make = (glaze: string, owner_id: string | null = null): Promise<unknown> =>
      service.create({ glaze, owner_id }, '/mugs');
    const corrupt = (...statements: string[]): Promise<void> =>
      under.database.transaction(async (tx) => {
        for (const sql of statements) await tx.query(sql);
      });

    /** Returns the totals of lists, and the actual numbers of rows. */
    const totals = async (): Promise<[unknown, unknown]> => {
      const rows = await under.database.query<{ glaze: string; owner_id: string | null }>('SELECT * FROM mugs');
      const filters = [
        {},
        { owner_id: ['o'] },
        ...GLAZES.flatMap((glaze) => [{ glaze: [glaze] }, { glaze: [glaze], owner_id: ['o'] }]),
      ];
      const said: unknown[] = [];
      const counted: number[] = [];
      for (const filter of filters as { glaze?: [string]; owner_id?: [string] }[]) {
        const request = { style: 'offset', page: 1, perPage: 1, sort: [], filter } as const;
        said.push((await service.list(request, '/mugs')).body['total']);
        counted.push(
          rows.filter(
            ({ glaze, owner_id: owner }) =>
              (filter.glaze === undefined || filter.glaze[0] === glaze) &&
              (filter.owner_id === undefined || filter.owner_id[0] === owner),
          ).length,
        );
      }
      return [said, counted];
    };
    const expectRight = async (): Promise<void> => {
      const [said, counted] = await totals();
      expect(said).toEqual(counted);
    };

    beforeAll(async () => {
      const policy = { seals: [], ttlMs: 1000 };
      service = new CollectionService(under.database, new Idempotency(under.database), policy, mugs);
      for (const glaze of GLAZES) for (const owner of [null, 'o', 'p']) await make(glaze, owner);
    });
    beforeEach(() => {
      printed.length = 0;
      audited.length = 0;
    });

    it('reports correct totals, and changes nothing', async () => {
      expect(await recounting()).toBe('Recounted 1 collection: all totals were right.');
      expect([printed, audited]).toEqual([[], []]);
      await expectRight();
    });

    it('corrects wrong totals, and reports them', async () => {
      await corrupt(
        "UPDATE collection_lanes SET n = n + 3 WHERE collection = 'mugs' AND lane = 0",
        `UPDATE collection_counts SET n = n - 1 WHERE collection = 'mugs' AND grp = '[["glaze"],["red"]]'
          AND lane = (SELECT min(lane) FROM collection_counts WHERE collection = 'mugs' AND grp = '[["glaze"],["red"]]')`,
        `DELETE FROM collection_counts WHERE collection = 'mugs' AND grp LIKE '[["owner\\_id"],%' ESCAPE '\\'`,
        `INSERT INTO collection_counts (collection, grp, lane, n) VALUES ('mugs', '[["glaze"],["none has it"]]', 0, 9)`,
      );
      expect(await recounting()).toBe('Recounted 1 collection: 5 totals were wrong, and are right now.');
      expect(printed.sort()).toEqual([
        'mugs: the total of glaze "none has it" was 9, and is 0.',
        'mugs: the total of glaze "red" was 2, and is 3.',
        'mugs: the total of owner_id "o" was 0, and is 5.',
        'mugs: the total of owner_id "p" was 0, and is 5.',
        'mugs: the total was 18, and is 15.',
      ]);
      expect(audited).toEqual([['totals_corrected', null, { collection: 'mugs', totals: 5 }]]);
      await expectRight();
      expect(await recounting()).toBe('Recounted 1 collection: all totals were right.');
    });

    it('is exact during writes, and during another recount', async () => {
      await corrupt(
        "UPDATE collection_lanes SET n = n - 100 WHERE collection = 'mugs' AND lane = 0",
        "UPDATE collection_counts SET n = n + 7 WHERE collection = 'mugs'",
      );
      let isOver = false;
      const writing = Array.from({ length: 6 }, async (_, writer) => {
        for (let n = 0; !isOver; n += 1) {
          const glaze = GLAZES[(n + writer) % GLAZES.length] ?? '';
          const { id } = ((await make(glaze, n % 2 ? 'o' : null)) as { resource: { id: string } }).resource;
          if (n % 3 === 0) await service.remove(id, () => undefined);
        }
      });
      const said = await Promise.all([recounting(), recounting(), recounting()]);
      isOver = true;
      await Promise.all(writing);
      expect(said.filter((text) => /were wrong/.test(text)).length).toBe(1);
      await expectRight();
    });
  },
);
