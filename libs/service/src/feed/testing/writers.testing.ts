import { setTimeout as sleep } from 'node:timers/promises';

import { ConflictError, ResourceNotFoundError, ServiceUnavailableError, ValidationError } from '@items/conventions';
import { type Transaction } from '../../data/database/database.js';
import type { Origin } from '../../data/database/origin.js';

import type { Library } from './library.testing.js';

/**
 * A transaction from the view of its writer. Times are in microseconds of the monotonic clock that all processes of the
 * machine share.
 */
export interface Write {
  /** Events that the transaction must make: `book.updated <id> <mark>`. */
  readonly events: readonly string[];
  readonly sentAt: number;
  /** Request id in the audit records of the transaction. */
  readonly requestId: string;
  /** Undefined if the result of the commit is unknown. */
  readonly answeredAt?: number;
}

/**
 * Called before each transaction, and after it with the time of its response. A transaction that made no event has no
 * events then.
 */
export type Journal = (write: number, told: Write) => void;

type Run = (work: (tx: Transaction) => Promise<unknown>, origin: Origin) => Promise<unknown>;

class UndoneError extends Error {}

/** Errors of writes that change nothing: a deleted book, a referenced book, or too many deadlocks. */
const REFUSALS = [UndoneError, ConflictError, ResourceNotFoundError, ServiceUnavailableError, ValidationError];

const READER = '01890000-0000-7000-8000-000000000001';
const SOMEBODY: Omit<Origin, 'credentialId' | 'requestId'> = {
  actorType: 'api_key',
  userId: null,
  clientId: null,
  address: '127.0.0.1',
};
const ANY_STATE = (): void => undefined;

export function nowMicros(): number {
  return Number(process.hrtime.bigint() / 1000n);
}

/** Writes in every way that makes an event, or must not make one. */
export class Writer {
  private readonly books: { id: string; n: number }[] = [];
  private written = 0;
  private transactions = 0;

  /** @param name Unique among all writers. */
  constructor(
    private readonly library: Library,
    private readonly name: string,
    private readonly journal: Journal,
  ) {}

  async writeUntil(isOver: () => boolean): Promise<void> {
    const changes = Object.values(this.changes);
    while (!isOver()) {
      const change = changes[Math.floor(Math.random() * changes.length)];
      await change?.();
      await sleep(Math.random() < 0.1 ? 5 : 0);
    }
  }

  private readonly changes: Readonly<Record<string, () => Promise<void>>> = {
    create: () => this.transact(async (tx, make) => this.createBook(tx, make)),
    update: () => this.transact((tx, make) => this.updateBook(tx, make)),
    slow: () =>
      this.transact(async (tx, make) => {
        const remember = await this.updateBook(tx, make);
        await this.pause();
        return remember;
      }),
    delete: () =>
      this.transact(async (tx, make) => {
        const book = this.books[0];
        if (book === undefined) return undefined;
        await this.library.books.delete(tx, book.id, ANY_STATE);
        make(`book.deleted ${book.id} ${this.name}`);
        return () => this.books.shift();
      }),
    lend: () =>
      this.transact(async (tx, make) => {
        const remember = await this.updateBook(tx, make);
        await this.createLoan(tx, make, this.anyBook()?.id);
        return remember;
      }),
    lendAndReturnByRule: async () => {
      const book = this.anyBook();
      let loan = '';
      await this.transact(async (tx, make) => {
        loan = await this.createLoan(tx, make, book?.id);
      });
      if (loan === '') return;
      const mark = this.mark();
      const returned = { mark, n: 2, status: 'returned', reader_id: READER, book_id: book?.id ?? null };
      await this.transact(
        async (tx, make) => {
          const remember = await this.updateBook(tx, make);
          make(`loan.returned ${loan} ${mark}`);
          return remember;
        },
        async (work, origin) => {
          let done: unknown;
          this.library.whenReturned.set(mark, async (tx) => (done = await work(tx)));
          await this.library.loans.replace(loan, returned, undefined, undefined, origin);
          this.library.whenReturned.delete(mark);
          return done;
        },
      );
    },
    lendAndReturn: async () => {
      let loan = '';
      await this.transact(async (tx, make) => {
        loan = await this.createLoan(tx, make);
      });
      if (loan === '') return;
      await this.transact(async (tx, make) => {
        const mark = this.mark();
        await this.library.loans.update(tx, loan, { mark, n: 2, status: 'returned' }, ANY_STATE);
        make(`loan.returned ${loan} ${mark}`);
      });
    },
    rollback: () =>
      this.transact(async (tx, make) => {
        await this.createBook(tx, make);
        throw new UndoneError();
      }),
    savepoint: () =>
      this.transact(async (tx, make) => {
        await tx
          .savepoint(async () => {
            await this.createBook(tx, () => undefined);
            throw new UndoneError();
          })
          .catch(onlyUndone);
        return this.createBook(tx, make);
      }),
  };

  private async createBook(tx: Transaction, make: (key: string) => void): Promise<() => unknown> {
    const mark = this.mark();
    const { resource } = await this.library.books.insert(tx, { mark, n: 1 });
    make(`book.created ${resource.id} ${mark}`);
    return () => this.books.push({ id: resource.id, n: 1 });
  }

  private async updateBook(tx: Transaction, make: (key: string) => void): Promise<(() => unknown) | undefined> {
    const book = this.anyBook();
    if (book === undefined) return undefined;
    const mark = this.mark();
    await this.library.books.update(tx, book.id, { mark, n: book.n + 1 }, ANY_STATE);
    make(`book.updated ${book.id} ${mark}`);
    return () => (book.n += 1);
  }

  /** @param book Id of the book to which the loan refers. */
  private async createLoan(tx: Transaction, make: (key: string) => void, book?: string): Promise<string> {
    const mark = this.mark();
    const loan = { mark, n: 1, status: 'lent', reader_id: READER, book_id: book ?? null };
    const { resource } = await this.library.loans.insert(tx, loan);
    make(`loan.created ${resource.id} ${mark}`);
    return resource.id;
  }

  /**
   * @param work May return a function that runs after the commit.
   * @param run Default: in a transaction of its own.
   */
  private async transact(
    work: (tx: Transaction, make: (key: string) => void) => Promise<unknown>,
    run: Run = (own, origin) => this.library.database.transaction(own, origin),
  ): Promise<void> {
    const number = this.transactions++;
    const sentAt = nowMicros();
    const requestId = `${this.name} ${String(number)}`;
    const origin = { ...SOMEBODY, credentialId: this.name, requestId };
    let events: string[] = [];
    try {
      const done = await run(async (tx) => {
        // The work may run again after a deadlock.
        events = [];
        const remember = await work(tx, (key) => events.push(key));
        this.journal(number, { events, sentAt, requestId });
        return remember;
      }, origin);
      this.journal(number, { events, sentAt, requestId, answeredAt: nowMicros() });
      if (typeof done === 'function') (done as () => unknown)();
    } catch (error) {
      this.journal(number, { events: [], sentAt, requestId });
      if (!REFUSALS.some((refusal) => error instanceof refusal)) throw error;
    }
  }

  private anyBook(): { id: string; n: number } | undefined {
    return this.books[Math.floor(Math.random() * this.books.length)];
  }

  private mark(): string {
    return `${this.name}-${String(this.written++)}`;
  }

  /** Lets other writers of SQLite write. */
  private pause(): Promise<unknown> {
    return sleep(Math.random() * (this.library.database.dialect === 'postgres' ? 40 : 3));
  }
}

function onlyUndone(error: unknown): void {
  if (!(error instanceof UndoneError)) throw error;
}
