import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Text } from '@items/fields';

import type { Database, SqlValue, Transaction, ValueReader } from '../data/database/database.js';
import { SYSTEM } from '../data/database/origin.js';
import { defineCollection } from '../data/definition/define-collection.js';
import { ListPlan } from '../data/lists/list-plan.js';
import { Totals } from '../data/lists/totals.js';
import type { Dialect } from '../data/schema/dialect.js';
import { RowStatements } from '../data/writes/row-statements.js';
import { StampedWriter } from '../data/writes/stamped-writer.js';
import { AuditRecorder } from './audit/audit-recorder.js';
import { lastIdAt } from './event-id.js';
import { rangesOf } from './event-ranges.js';
import { ChangeRecorders, EventRecorder } from './event-recorder.js';
import { EVENTS } from './feed-table.js';
import { readLimited } from './read-segment.js';

class BookDto {
  @Text({ max: 100 })
  title!: string;
}

const books = defineCollection({ name: 'books', singular: 'book', dto: BookDto, events: 'book' });
const kinds = ['book.created', 'book.updated', 'book.deleted'];

async function sqlOfSecondPage(dialect: Dialect): Promise<string[]> {
  const sent: string[] = [];
  const reader: Pick<ValueReader, 'readValues' | 'readTransaction'> = {
    readValues: (sql) => {
      sent.push(sql);
      // Returns the clocks of the snapshot, so that the walk does not read versions.
      return sql.includes(' AS value') ? [['1;epoch;1', null]] : [];
    },
    readTransaction: (work) => work(),
  };
  const announcer = { announce: async () => true } as never;
  const totals = new Totals('books', books.countedFilters);
  const plan = new ListPlan(
    { ...books, dialect, totals, announcer },
    { path: '/books', sort: [{ field: 'title', descending: false }], filter: {}, parent: {} },
  );
  const position = { key: ['a title'], id: 'an id' };
  await plan.light.walk.resume(reader as ValueReader, position, { clocks: [1], epoch: 'epoch' }, 5);
  return sent;
}

async function sqlOfWrite(dialect: Dialect): Promise<string[]> {
  const sent: string[] = [];
  const run = (sql: string): object[] => {
    sent.push(sql);
    return [{ lane: 0, seq: 1, walks_until: 0 }];
  };
  const query = async (sql: string): Promise<object[]> => run(sql);
  const tx = (dialect === 'sqlite' ? { run } : { query }) as unknown as Transaction;
  const recorders = new ChangeRecorders(
    new EventRecorder({ ...books, dialect, events: { subject: 'book' }, apiVersion: '2026-11-20' }),
    new AuditRecorder(dialect, books, { subject: 'book', kinds: ['created'] }, { pollSoon: () => undefined }),
  );
  const columns = books.columns.map(({ name }) => name);
  const after = { id: 'an id', created_at: 1, updated_at: 1, lane: 0, seq: 0, title: 'a title' };
  await new StampedWriter(dialect, 'events').write(tx, {
    collection: 'books',
    added: 1,
    writes: [
      new RowStatements(dialect, 'books', columns).insert(after),
      ...recorders.record({ before: undefined, after, origin: SYSTEM }),
    ],
    adjustments: [],
  });
  return sent;
}

async function sqlOfEvents(dialect: Dialect): Promise<string[]> {
  const sent: string[] = [];
  const query = async (sql: string): Promise<SqlValue[]> => {
    sent.push(sql);
    return [];
  };
  const database = { dialect, query } as unknown as Database;
  const types = ['book.created', 'book.deleted'];
  await readLimited(database, {
    table: EVENTS,
    ranges: rangesOf(database, kinds, { types }, { all: kinds, own: [], userId: null }),
    segment: { after: lastIdAt(1), upTo: lastIdAt(2), descending: false, limit: 6 },
  });
  return sent;
}

/** Reads the statements below a title in the header of a file. Each ends with a semicolon at the end of a line. */
function inHeader(file: string, title: string): string[] {
  const source = readFileSync(join(__dirname, '..', file), 'utf8');
  const header = source.slice(0, source.indexOf('*/')).replace(/^ \*/gm, '');
  const section = header.split(/^ (?=\w+:$)/m).find((text) => text.startsWith(`${title}:\n`)) ?? '';
  return section
    .slice(`${title}:\n`.length)
    .split(/;$/m)
    .map(oneLine)
    .filter((sql) => sql !== '');
}

function oneLine(sql: string): string {
  return sql.replace(/\s+/g, ' ').replace(/\( /g, '(').replace(/ \)/g, ')').trim();
}

describe.each([
  ['data/lists/walk.ts', sqlOfSecondPage],
  ['data/writes/stamped-writer.ts', sqlOfWrite],
  ['feed/read-segment.ts', sqlOfEvents],
])('The header of %s', (file, sqlOf) => {
  it.each([
    ['SQLite', 'sqlite'],
    ['PostgreSQL', 'postgres'],
  ] as const)('shows the statements of %s', async (title, dialect) => {
    expect(inHeader(file, title)).toEqual((await sqlOf(dialect)).map(oneLine));
  });
});
