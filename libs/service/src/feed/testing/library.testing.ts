import { CollectionService } from '../../data/collections/collection-service.js';
import { defineCollection, type Member } from '../../data/definition/define-collection.js';
import { sealOf, type CursorPolicy } from '../../data/lists/cursors.js';
import { Integer, Optional, Reference, RowId, Text } from '@items/fields';
import { Idempotency } from '../../data/idempotency/idempotency.js';
import { openDatabase } from '../../data/opening/open-database.js';
import { Schema } from '../../data/schema/schema.js';
import type { Database, Transaction } from '../../data/database/database.js';
import type { RuleContext } from '../../data/definition/collection-rules.js';
import { referencesOf, referrersOf } from '../../data/definition/references.js';
import type { DatabaseConfig } from '../../data/database/database-options.js';
import { onBothDatabases, type DatabaseUnderTest as UnderTest } from '@items/testing';
import type { QueryRunner } from 'typeorm';

import { eventMigrations } from '../event-migrations.js';
import { Events, type EventsOptions } from '../events.js';
import type { Visibility } from '../visibility.js';

/** `mark` identifies the write, and `n` counts the changes of the row. */
export class BookDto {
  @Text({ max: 100 })
  mark!: string;

  @Integer({ min: 0, max: 1_000_000 })
  n!: number;
}

export class LoanDto extends BookDto {
  @Text({ max: 20 })
  status!: string;

  @RowId()
  reader_id!: string;

  @Optional()
  @Reference(() => bookCollection)
  book_id?: string | null;
}

export const bookCollection = defineCollection({ name: 'books', singular: 'book', dto: BookDto, events: 'book' });

const definedLoans = defineCollection<LoanDto, Member<LoanDto>>({
  name: 'loans',
  singular: 'loan',
  dto: LoanDto,
  events: {
    subject: 'loan',
    kinds: ['created', 'returned', 'lost'],
    kindOf: (was, is) => (was === undefined ? 'created' : (is?.status ?? null)),
    owner: 'reader_id',
    fields: ['id', 'mark', 'n', 'status'],
  },
});
export const loanCollection = { ...definedLoans, references: referencesOf(LoanDto, undefined) };

class CreateLibrary2000000000000 {
  readonly name = 'CreateLibrary2000000000000';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
    const { text, int, id } = schema;
    const columns = [`mark ${text} NOT NULL`, `n ${int} NOT NULL`];
    const lists = { sortable: [{ column: 'created_at' }, { column: 'updated_at' }], filters: [] };
    await schema.createCollection({ table: 'books', columns, ...lists });
    const own = [`status ${text} NOT NULL`, `reader_id ${id} NOT NULL`, `book_id ${id}`];
    await schema.createCollection({ table: 'loans', columns: [...columns, ...own], ...lists });
  }
}

export const KINDS = ['book.created', 'book.updated', 'book.deleted', 'loan.created', 'loan.returned', 'loan.lost'];
export const ALL: Visibility = { all: KINDS, own: [], userId: null };

export const DAY_MS = 86_400_000;
/** Enables the audit. */
export const AUDITED: Partial<EventsOptions> = { auditKeptMs: 90 * DAY_MS };
export const policy: CursorPolicy = {
  seals: [sealOf('a secret of this test')],
  ttlMs: 3_600_000,
};

/** Runs the specs on SQLite and PostgreSQL. Without a server, the latter are skipped. */
export function describeOnBothDatabases(title: string, specs: (under: UnderTest<Database>) => void): void {
  onBothDatabases(title, openLibrary, specs);
}

export function openLibrary(config: DatabaseConfig): Promise<Database> {
  return openDatabase(config, { migrations: [...eventMigrations, CreateLibrary2000000000000] });
}

/** One instance of a service with two collections that make events. */
export class Library {
  readonly events: Events;
  readonly books: CollectionService<Member<BookDto>, BookDto, object>;
  readonly loans: CollectionService<Member<LoanDto>, LoanDto, object>;
  /** By mark of a loan: work that the rule of loans does in the transaction that replaces the loan. */
  readonly whenReturned = new Map<string, (tx: Transaction) => Promise<unknown>>();

  /** @param relations Whether loans refer to books and have a rule. */
  constructor(
    readonly database: Database,
    options: Partial<EventsOptions> = {},
    relations: 'related' | 'apart' = 'apart',
  ) {
    this.events = new Events(database, policy, { apiVersion: '2026-11-20', keptMs: 30 * DAY_MS, ...options });
    const idempotency = new Idempotency(database);
    const [ofBooks, ofLoans] = [this.events.recorderOf(bookCollection), this.events.recorderOf(loanCollection)];
    const isRelated = relations === 'related';
    const referrers = isRelated ? referrersOf(bookCollection, [loanCollection]) : [];
    const loans = isRelated ? this.ruledLoans() : definedLoans;
    this.books = new CollectionService(database, idempotency, policy, bookCollection, ofBooks, undefined, referrers);
    this.loans = new CollectionService(database, idempotency, policy, loans, ofLoans);
  }

  /** Creates a library that is ready for writes. */
  static async begun(
    database: Database,
    options?: Partial<EventsOptions>,
    relations?: 'related' | 'apart',
  ): Promise<Library> {
    const library = new Library(database, options, relations);
    await library.events.begin();
    return library;
  }

  private ruledLoans(): typeof definedLoans {
    const replace = async ({ mark }: LoanDto, _before: object, { tx }: RuleContext): Promise<undefined> => {
      await this.whenReturned.get(mark)?.(tx);
    };
    return { ...loanCollection, rules: { replace } };
  }
}
