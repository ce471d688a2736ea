import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';

import { CollectionService } from '../../data/collections/collection-service.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { sealOf } from '../../data/lists/cursors.js';
import { MalformedBodyError, ResourceNotFoundError } from '@items/conventions';
import { eventMigrations } from '../../feed/event-migrations.js';
import { Events } from '../../feed/events.js';
import { Float, Money, Optional, Sortable, Text } from '@items/fields';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Schema } from '../../data/schema/schema.js';
import type { Database } from '../../data/database/database.js';
import { onBothDatabases } from '@items/testing';

import { operationContext, SCHEMA } from '../service.testing.js';
import { exportFile } from './export.js';
import { importFile } from './import.js';
import { transferable, type ImportRules } from './transferable.js';

class NoteDto {
  @Sortable()
  @Text({ max: 100 })
  body!: string;

  @Optional()
  @Float({ min: -1e300, max: 1e300 })
  weight!: number | null;

  @Optional()
  @Money()
  price!: number | null;
}

class LeafDto {
  @Text({ max: 100 })
  name!: string;
}

const noteCollection = defineCollection({ name: 'notes', singular: 'note', dto: NoteDto, events: 'note' });
const leafCollection = defineCollection({ name: 'leaves', singular: 'leaf', dto: LeafDto, parent: 'note_id' });

type Migration = InstanceType<(typeof SCHEMA.migrations)[number]>;

class CreateLeaves1700000000003 implements Migration {
  readonly name = 'CreateLeaves1700000000003';

  async up(runner: Parameters<Migration['up']>[0]): Promise<void> {
    const schema = new Schema(runner);
    const columns = [`note_id ${schema.id} NOT NULL`, `name ${schema.text} NOT NULL`];
    const lists = { sortable: [{ column: 'created_at' }], filters: [], parent: 'note_id' };
    await schema.createCollection({ table: 'leaves', columns, ...lists });
  }
}

const schema = { migrations: [...eventMigrations, ...SCHEMA.migrations, CreateLeaves1700000000003] };
const ALL = { style: 'offset', page: 1, perPage: 100, sort: [], filter: {} } as const;
const UUID = '01890000-0000-7000-8000-00000000000';
const STOP = new Error('The process is gone.');

onBothDatabases(
  'A collection as lines of JSON',
  (config) => openDatabase(config, schema),
  (under) => {
    let folder: string;
    let file: string;
    let notes: CollectionService<Member<NoteDto>, NoteDto, object>;
    let events: Events;
    let after: string;
    const printed: string[] = [];

    const contextOf = (more: Partial<Parameters<typeof importFile>[0]> = {}): Parameters<typeof importFile>[0] => ({
      ...operationContext(under.config, schema, { print: (line) => void printed.push(line) }),
      openInput: () => Readable.from([]),
      readJson: (bytes) => {
        try {
          return Promise.resolve(JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
        } catch {
          return Promise.reject(new MalformedBodyError('The request body is not valid JSON.'));
        }
      },
      ...more,
    });
    /** @param lines values, or raw lines. */
    const write = (...lines: readonly (object | string)[]): void => {
      writeFileSync(file, lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''));
    };
    const load = (more: Parameters<typeof contextOf>[0] = {}, rules: ImportRules = {}): Promise<string> =>
      importFile(contextOf(more), transferable(noteCollection, rules), file);
    const all = async (): Promise<Member<NoteDto>[]> => {
      const { body } = await notes.list(ALL, '/notes');
      expect(body['total']).toBe((body['notes'] as unknown[]).length);
      return body['notes'] as Member<NoteDto>[];
    };
    const eventsSince = async (): Promise<readonly { type: string; data: { object: unknown } }[]> => {
      const visible = { all: ['note.created'], own: [], userId: null };
      const page = await events.page({ limit: 100, descending: false, after }, () => visible);
      return page.body.events;
    };

    beforeEach(async () => {
      const { database } = under;
      folder = mkdtempSync(join(tmpdir(), 'items-transfer-'));
      file = join(folder, 'notes.ndjson');
      printed.length = 0;
      const policy = { seals: [sealOf('a secret of this test')], ttlMs: 60_000 };
      events = new Events(database, policy, { apiVersion: '2026-11-20', keptMs: 60_000 });
      notes = new CollectionService(
        database,
        new Idempotency(database),
        policy,
        noteCollection,
        events.recorderOf(noteCollection),
      );
      await events.begin();
      for (const { id } of await all()) await notes.remove(id, () => undefined);
      const visible = { all: ['note.created'], own: [], userId: null };
      ({ after } = (await events.page({ limit: 1, descending: true }, () => visible)).body);
    });
    afterEach(async () => {
      rmSync(folder, { recursive: true });
      const marks = await under.database.query("SELECT name FROM settings WHERE name LIKE 'import %'");
      expect(marks).toEqual([]);
    });

    it('import: creates members as POST does, with the given ids and times, and an event for each', async () => {
      const past = { id: `${UUID}1`, created_at: '2024-01-01T00:00:00.000Z', updated_at: '2024-02-01T00:00:00.000Z' };
      write('\ufeff{"body":"first","weight":0.1,"price":999999999.99}\r', ' \t\r', '', {
        ...past,
        body: '😀 "quoted" \\ \u2028',
        weight: 1.25e299,
        price: null,
      });
      expect(await load()).toBe('Imported 2 notes.');
      const found = await all();
      expect(found).toEqual([
        { ...past, body: '😀 "quoted" \\ \u2028', weight: 1.25e299, price: null },
        expect.objectContaining({ body: 'first', weight: 0.1, price: 999_999_999.99 }),
      ]);
      expect((await eventsSince()).map(({ type, data }) => [type, data.object])).toEqual([
        ['note.created', found[1]],
        ['note.created', found[0]],
      ]);
    });

    it('export: writes all members as in responses, in order of creation, to a new private file', async () => {
      for (let n = 0; n < 3; n += 1) {
        await notes.create({ body: `note ${String(n)}`, weight: n / 3, price: n / 100 }, '/notes');
      }
      const context = { ...contextOf(), output: new PassThrough() };
      const done = await exportFile(context, transferable(noteCollection), file);
      expect(done).toBe(`Exported to ${file}, and read through: 3 notes, ${String(statSync(file).size)} bytes.`);
      const lines = readFileSync(file, 'utf8').split('\n');
      expect(lines.pop()).toBe('');
      expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(await all());
      expect(statSync(file).mode & 0o777).toBe(0o600);
      await expect(exportFile(context, transferable(noteCollection), file)).rejects.toThrow(
        `There is a file ${file} already: give the export another name.`,
      );
      expect(await exportFile(context, transferable(noteCollection), '-')).toBe('Exported 3 notes.');
      expect(String(context.output.read())).toBe(readFileSync(file, 'utf8'));
      expect(existsSync(`${file}.partial`)).toBe(false);
    });

    it('an export is imported unchanged into an empty database, and a second import adds nothing', async () => {
      for (let n = 0; n < 3; n += 1) {
        await notes.create({ body: `note ${String(n)}`, weight: n / 3, price: n / 100 }, '/notes');
      }
      const before = await all();
      await exportFile({ ...contextOf(), output: new PassThrough() }, transferable(noteCollection), file);
      for (const { id } of before.slice(1)) await notes.remove(id, () => undefined);
      expect(await load()).toBe('Imported 2 notes; 1 more of the file was there already.');
      expect(await all()).toEqual(before);
      expect(await load()).toBe('Imported 0 notes; 3 more of the file were there already.');
      expect(await all()).toEqual(before);
    });

    it('nothing is imported if a line is wrong; up to 20 are listed', async () => {
      await notes.create({ body: 'there', weight: null, price: null }, '/notes');
      const [there] = await all();
      const past = { created_at: '2024-01-01T00:00:00Z' };
      write(
        { body: 'right' },
        { body: 7, wieght: 1 },
        'nonsense',
        [],
        { body: 'one', id: `${UUID}1` },
        { body: 'another', id: `${UUID}1`.toUpperCase() },
        Object.assign({}, there, { body: 'another' }),
        { body: 'x', id: 'X', price: 0.001 },
        { body: 'x', created_at: '2999-01-01T00:00:00Z' },
        { body: 'x', created_at: new Date(Date.now() + 8000).toISOString() },
        { body: 'x', ...past, updated_at: new Date(Date.now() + 8000).toISOString() },
        { body: 'x', ...past, updated_at: '2023-01-01T00:00:00Z' },
        { body: 'x', updated_at: '2023-01-01T00:00:00Z' },
        { body: 'x'.repeat(2_000_000) },
        { body: 'x', weight: null, price: null, ...past, updated_at: null, id: null },
      );
      await expect(load()).rejects.toThrow('Nothing was imported: 12 lines are wrong.');
      expect(printed).toEqual([
        'line 2: validation_failed: "body" must be a string. "wieght" is not a field that can be set here.',
        'line 3: malformed_body: The line is not valid JSON.',
        'line 4: validation_failed: The line must be a JSON object.',
        'line 6: id_taken: Line 5 has the same id.',
        `line 7: id_taken: There is another member with the id ${String(there?.id)}.`,
        'line 8: validation_failed: "id" must be a UUID. "price" must have at most 2 decimals.',
        'line 9: validation_failed: "created_at" must not be in the future.',
        'line 10: validation_failed: "created_at" must not be in the future.',
        'line 11: validation_failed: "updated_at" must not be in the future.',
        'line 12: validation_failed: "updated_at" must not be before "created_at".',
        'line 13: validation_failed: "created_at" is required if "updated_at" is given.',
        'line 14: body_too_large: The line is larger than 1 MiB.',
      ]);
      printed.length = 0;
      write(...Array.from({ length: 25 }, () => ({})));
      await expect(load()).rejects.toThrow('Nothing was imported: 25 lines are wrong.');
      expect(printed).toHaveLength(21);
      expect(printed.at(-1)).toBe('… and 5 more lines.');
      expect(await all()).toEqual([there]);
    });

    it('a value that must be unique is refused after a line, or a row, with the same one', async () => {
      await notes.create({ body: 'taken', weight: null, price: null }, '/notes');
      write({ body: 'a' }, { body: 'taken' }, { body: 'a' });
      await expect(load({}, { unique: ['body'] })).rejects.toThrow('2 lines are wrong');
      expect(printed).toEqual([
        'line 2: body_taken: There is another member with this body.',
        'line 3: body_taken: Line 1 has the same body.',
      ]);
    });

    it('each line of a nested collection names an existing parent', async () => {
      const { resource } = await notes.create({ body: 'parent', weight: null, price: null }, '/notes');
      const leaves = transferable(leafCollection, { parents: noteCollection });
      write(
        { name: 'a', note_id: resource.id },
        { name: 'b' },
        { name: 'c', note_id: 'X' },
        { name: 'd', note_id: `${UUID}9` },
      );
      await expect(importFile(contextOf(), leaves, file)).rejects.toThrow('3 lines are wrong');
      expect(printed.map((line) => line.slice(0, 40))).toEqual([
        'line 2: validation_failed: "note_id" is ',
        'line 3: validation_failed: "note_id" mus',
        'line 4: note_not_found: There is no note',
      ]);
      write({ name: 'a', note_id: resource.id.toUpperCase() });
      expect(await importFile(contextOf(), leaves, file)).toBe('Imported 1 leaf.');
      const rows = await under.database.query('SELECT note_id, name FROM leaves');
      expect(rows).toEqual([{ note_id: resource.id, name: 'a' }]);
    });

    it('an interrupted import continues after the imported lines, even if later lines were changed', async () => {
      const lines = Array.from({ length: 1200 }, (_, n) => ({ body: `note ${String(n)}` }));
      write(...lines);
      let batches = 0;
      /** Stops the import like a kill: some transactions are committed, the next one is not. */
      const progress = {
        at: (what: string): void => {
          if (what === 'notes imported' && (batches += 1) === 10) throw STOP;
        },
        end: () => undefined,
      };
      await expect(load({ progress })).rejects.toThrow(STOP);
      expect(await count(under.database)).toBe(1000);
      write(...lines.slice(0, 1100), 'nonsense');
      await expect(load()).rejects.toThrow(
        'The first 1000 lines were imported by the run before. Nothing was imported: 1 line is wrong.',
      );
      expect(printed).toEqual(['line 1101: malformed_body: The line is not valid JSON.']);
      write(...lines.slice(0, 1100));
      expect(await load()).toBe('Imported 100 notes. The first 1000 lines were imported by the run before.');
      const rows = await under.database.query<{ n: number }>('SELECT count(DISTINCT body) AS n FROM notes');
      expect([await count(under.database), rows]).toEqual([1100, [{ n: 1100 }]]);
      expect((await notes.list(ALL, '/notes')).body['total']).toBe(1100);
      expect(await load()).toBe('Imported 1100 notes.');
      await under.database.transaction(async (tx) => {
        await tx.query('DELETE FROM notes');
        await tx.query("UPDATE collection_lanes SET n = 0 WHERE collection = 'notes'");
      });
    });

    it('a concurrent write ends it, and it reports the imported rows', async () => {
      write({ body: 'mine', id: `${UUID}5` });
      let calls = 0;
      const completion: ImportRules['completion'] = () => {
        // The first call validates the file, the second runs in the transaction.
        calls += 1;
        return Promise.resolve((member) => {
          if (calls === 1) return member;
          throw new ResourceNotFoundError('note');
        });
      };
      await expect(load({}, { completion })).rejects.toThrow(
        'Nothing was imported: line 1: note_not_found: There is no note with this id. The same command continues from there.',
      );
      expect(await all()).toEqual([]);
    });

    it('reads standard input through a temporary file', async () => {
      file = '-';
      expect(
        await load({ openInput: () => Readable.from([Buffer.from('{"body":"a"}\n{"bo'), Buffer.from('dy":"b"}')]) }),
      ).toBe('Imported 2 notes.');
      expect((await all()).map(({ body }) => body)).toEqual(['a', 'b']);
    });
  },
);

async function count(database: Database): Promise<number> {
  const [row] = await database.query<{ n: number }>('SELECT count(*) AS n FROM notes');
  return row?.n ?? 0;
}
