import { setTimeout as sleep } from 'node:timers/promises';

import {
  ConflictError,
  ResourceNotFoundError,
  ServiceUnavailableError,
  thenMaybe,
  ValidationError,
} from '@items/conventions';
import type { Database, Transaction } from '../database/database.js';

import { CollectionService } from '../collections/collection-service.js';
import { Idempotency } from '../idempotency/idempotency.js';
import { type Item, itemCollection, type ItemDto } from './item-collection.testing.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { Values } from '../definition/collection.js';
import { RelatedRowStore } from '../writes/related-row-store.js';
import { RowStore } from '../writes/row-store.js';
import { Totals } from '../lists/totals.js';
import type { Deletions } from './deletions.testing.js';
import type { Random } from './random.testing.js';

/** Few values, so that many rows share one. Most walks filter by `cyan`. */
const COLORS = ['red', 'cyan', 'blue', '"quoted"', 'цвет', '🎨', null] as const;
const PRICES = [null, 0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 99_999_999_999] as const;
const FEWEST = 300;
const MOST = 420;

/** The otherwise unused column `description` stores ids of other items. */
const REFERENCE = { column: 'description', target: () => itemCollection, isParent: false, onDelete: 'refuse' } as const;
const REFERRER = { table: 'items', column: 'description', isParent: false };

class UndoneError extends Error {}

/** Errors of writes that change nothing: a deleted target, a referenced member, or too many deadlocks. */
const REFUSALS = [UndoneError, ValidationError, ConflictError, ResourceNotFoundError, ServiceUnavailableError];

/** Describes totals that differ from the rows. */
export type TotalFault = string;

/** Changes items in every way that can affect a walk, through {@link RowStore}. */
export class ItemWriters {
  readonly done = new Map<string, number>();
  private readonly ids: string[] = [];
  /** One store of a plain collection, and one whose members refer to each other. */
  private readonly stores: readonly RowStore[];
  /** A collection with a rule that also writes. */
  private readonly ruled: CollectionService<Item, ItemDto>;

  constructor(
    private readonly database: Database,
    private readonly random: Random,
    private readonly deletions: Deletions,
    /** Ids that walkers served last. A new price moves these rows across cursors. */
    private readonly served: readonly string[],
  ) {
    const totals = new Totals('items', itemCollection.countedFilters);
    this.stores = [
      new RowStore(database, itemCollection, totals),
      new RelatedRowStore(database, { ...itemCollection, references: [REFERENCE] }, totals, undefined, [REFERRER]),
    ];
    const replace: NonNullable<(typeof itemCollection)['rules']>['replace'] = async (_input, { id }, { tx }) => {
      await this.changeIn(tx, id, { color: 'ruled' });
      return { price: 0.03 };
    };
    const policy = { seals: [], ttlMs: 0 };
    const definition = { ...itemCollection, rules: { replace }, settable: new Set(['price']) };
    this.ruled = new CollectionService(database, new Idempotency(database), policy, definition);
  }

  async fill(): Promise<void> {
    await this.database.transaction(async (tx) => {
      while (this.ids.length < (FEWEST + MOST) / 2) this.ids.push((await this.store().insert(tx, this.item())).id);
    });
  }

  /** Changes items until it must stop. */
  async write(isOver: () => boolean): Promise<void> {
    const changes = Object.entries(this.changes);
    while (!isOver()) {
      const [name, change] = this.random.pick(changes);
      try {
        await change();
        this.done.set(name, (this.done.get(name) ?? 0) + 1);
      } catch (error) {
        // Deadlocks are retried a few times. A write that gives up has changed nothing.
        if (!REFUSALS.some((refusal) => error instanceof refusal)) throw error;
      }
      await sleep(0);
    }
  }

  private readonly changes: Readonly<Record<string, () => Promise<void>>> = {
    insert: async () => {
      if (this.ids.length > MOST) return;
      const { id } = await this.database.transaction((tx) => this.store().insert(tx, this.item()));
      this.ids.push(id);
    },
    delete: () => this.delete(() => Promise.resolve()),
    reprice: () => this.change(this.anyId(), () => ({ price: this.random.pick(PRICES) })),
    repriceAcrossCursor: () => this.change(this.idAtCursor(), (row) => ({ price: row.price === 0 ? 99 : 0 })),
    rename: () => this.change(this.idAtCursor(), () => ({ name: this.name() })),
    recolour: () => this.change(this.anyId(), () => ({ color: this.random.pick(COLORS) })),
    recolourOutAndBack: async () => {
      const id = this.idAtCursor();
      await this.change(id, () => ({ color: 'gone' }));
      await this.change(id, () => ({ color: 'cyan' }));
    },
    alone: () => this.changeAlone(this.idAtCursor(), (row) => ({ price: row.price === 8 ? null : 8 })),
    severalRows: () =>
      this.database.transaction(async (tx) => {
        for (let n = 2 + this.random.below(4); n > 0; n--) await this.changeIn(tx, this.anyId(), this.item());
      }),
    sameRowTwice: () =>
      this.database.transaction(async (tx) => {
        const id = this.idAtCursor();
        await this.changeIn(tx, id, { price: 7 });
        await this.changeIn(tx, id, { price: this.random.pick(PRICES), color: 'red' });
      }),
    rollback: () =>
      this.database.transaction(async (tx) => {
        await this.changeIn(tx, this.idAtCursor(), this.item());
        await this.store().insert(tx, this.item());
        throw new UndoneError();
      }),
    savepoint: () =>
      this.database.transaction(async (tx) => {
        await tx
          .savepoint(async () => {
            await this.changeIn(tx, this.anyId(), { price: 1 });
            throw new UndoneError();
          })
          .catch(onlyUndone);
        await this.changeIn(tx, this.idAtCursor(), { price: this.random.pick(PRICES) });
      }),
    undoneDelete: () =>
      this.delete(() => {
        throw new UndoneError();
      }),
    byRule: async () => {
      const input = { name: this.name(), description: null, color: 'cyan', price: 0.05 };
      await this.ruled.replace(this.idAtCursor(), input, undefined);
    },
    slowCommit: async () => {
      await this.database.transaction(async (tx) => {
        await this.changeIn(tx, this.idAtCursor(), this.item());
        await this.pause();
      });
    },
    slowDelete: () =>
      this.delete(async () => {
        await this.pause();
      }),
  };

  private change(id: string, own: (row: VersionedRow) => Values): Promise<void> {
    return this.database.transaction(async (tx) => {
      const store = this.store();
      const current = await store.lock(tx, id);
      if (current !== undefined) await store.update(tx, current, own(current));
    });
  }

  /** Changes one item like a request that writes nothing else. */
  private async changeAlone(id: string, own: (row: VersionedRow) => Values): Promise<void> {
    const store = this.store();
    await store.writeOne((tx) =>
      thenMaybe(store.lock(tx, id), (row) => (row === undefined ? row : store.update(tx, row, own(row)))),
    );
  }

  private async changeIn(tx: Transaction, id: string, own: Values): Promise<void> {
    const store = this.store();
    const current = await store.lock(tx, id);
    if (current !== undefined) await store.update(tx, current, own);
  }

  private async delete(beforeCommit: () => Promise<void>): Promise<void> {
    if (this.ids.length < FEWEST) return;
    const [id] = this.ids.splice(this.random.below(this.ids.length), 1);
    if (id === undefined) return;
    this.deletions.begin(id);
    try {
      await this.database.transaction(async (tx) => {
        const store = this.store();
        const current = await store.lock(tx, id);
        if (current !== undefined) await store.remove(tx, current);
        await beforeCommit();
      });
      this.deletions.commit(id);
    } catch (error) {
      this.deletions.undo(id);
      this.ids.push(id);
      throw error;
    }
  }

  /** Lets other writers of SQLite run. */
  private pause(): Promise<void> {
    return sleep(this.random.below(this.database.dialect === 'postgres' ? 40 : 3));
  }

  private store(): RowStore {
    return this.random.pick(this.stores);
  }

  private anyId(): string {
    return this.random.pick(this.ids);
  }

  private idAtCursor(): string {
    const id = this.served.length > 0 && this.random.chance(0.7) ? this.random.pick(this.served) : this.anyId();
    // The row that was served last, or one of its neighbors.
    const position = this.ids.indexOf(id);
    return this.ids[position + this.random.below(3) - 1] ?? this.anyId();
  }

  private name(): string {
    return `${this.random.pick(['a', 'A', 'é', '～', '𐀀', 'z'])}${String(this.random.below(40))}`;
  }

  private item(): Values {
    return {
      name: this.name(),
      description: this.ids.length > 0 && this.random.chance(0.2) ? this.anyId() : null,
      color: this.random.pick(COLORS),
      price: this.random.pick(PRICES),
    };
  }
}

function onlyUndone(error: unknown): void {
  if (!(error instanceof UndoneError)) throw error;
}
