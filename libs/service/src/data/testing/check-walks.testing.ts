import { ExpiredCursorError } from '@items/conventions';
import type { Database } from '../database/database.js';

import type { DatabaseUnderTest } from './database.testing.js';
import { type Item, itemCollection } from './item-collection.testing.js';
import { CollectionReader } from '../collections/collection-reader.js';
import { sealOf } from '../lists/cursors.js';
import { Pruner } from '../writes/pruner.js';
import { Totals } from '../lists/totals.js';
import { Deletions } from './deletions.testing.js';
import { FirstPageWitness } from './first-page-witness.testing.js';
import { interleaved } from './interleaved.testing.js';
import { ItemWriters } from './item-writers.testing.js';
import { judge, noFaults, type Faults } from './judge.testing.js';
import type { Mutant } from './mutants.testing.js';
import { Random } from './random.testing.js';
import { anyWalk, walk, type ServePage } from './walkers.testing.js';

const WRITERS = 9;
const WALKERS = 4;
/** Short, so that versions are pruned during walks. The few walks that take longer must get an error. */
const RETENTION_MS = 3000;
/** So short that leases last a few milliseconds, and some writes save no versions. */
const CURSOR_TTL_MS = 20_000;

export interface WalkReport {
  readonly walks: number;
  readonly pages: number;
  /** Walks that were refused because they took longer than the retention. */
  readonly expired: number;
  /** Walks that were refused for any other reason. */
  readonly expiredTooEarly: number;
  readonly faults: Faults;
  readonly changes: ReadonlyMap<string, number>;
  readonly seed: number;
}

/**
 * Walks over items during constant writes, and compares each row by row with the state at its first page.
 * @param walks Number of walks. @param mutant A fault in the code, at whose first effect the check ends.
 */
export async function checkWalks(
  { database, config }: DatabaseUnderTest,
  { walks, mutant }: { walks: number; mutant?: Mutant },
): Promise<WalkReport> {
  const seed = Date.now() % 1_000_000;
  const random = new Random(seed);
  const deletions = new Deletions();
  const served: string[] = [];
  const writers = new ItemWriters(mutant?.writersUse?.(database) ?? database, random, deletions, served);
  await writers.fill();
  const total = { walks: 0, pages: 0, expired: 0, expiredTooEarly: 0, faults: noFaults(), seed, changes: writers.done };
  let over = false;
  const isOver = (): boolean => over;

  const walkOnce = async (slot: number, witness: FirstPageWitness): Promise<void> => {
    const request = anyWalk(random);
    const begunAt = performance.now();
    try {
      const pages = await walk(
        request,
        pagesOf(witness),
        pagesOf(interleaved(database)),
        random,
        (id) => (served[slot] = id),
      );
      add(total.faults, judge(request, witness.takeStates(), pages, deletions));
      total.pages += pages.length;
    } catch (error) {
      if (!(error instanceof ExpiredCursorError)) throw error;
      total[performance.now() - begunAt < RETENTION_MS ? 'expiredTooEarly' : 'expired']++;
      witness.takeStates();
    }
    if (mutant !== undefined && Object.values(total.faults).some((count) => count > 0)) over = true;
  };
  const walker = async (_: unknown, slot: number): Promise<void> => {
    const witness = new FirstPageWitness(config, database);
    try {
      while (total.walks < walks && !over) {
        total.walks++;
        await walkOnce(slot, witness);
      }
    } finally {
      await witness.close();
    }
  };
  const pruner = new Pruner(database, 'items', RETENTION_MS);
  const pruning = repeat(() => pruner.prune(), isOver);
  const writing = Promise.all(Array.from({ length: WRITERS }, () => writers.write(isOver)));
  try {
    await Promise.race([Promise.all(Array.from({ length: WALKERS }, walker)), writing]);
  } finally {
    over = true;
    await Promise.allSettled([writing, pruning]);
  }
  await writing;
  await pruning;
  return total;
}

/** Returns the pages of the service without HTTP. */
export function pagesOf(database: Database): ServePage {
  const reader = new CollectionReader(
    database,
    itemCollection,
    itemCollection.columns,
    new Totals('items', itemCollection.countedFilters),
    { seals: [sealOf('a secret of this test')], ttlMs: CURSOR_TTL_MS },
  );
  return async (request) => {
    // Reads the JSON that is sent, because tests otherwise read rows that were mapped separately.
    const { json } = await reader.list(request, '/items');
    const { items, next_cursor: nextCursor } = JSON.parse(String(json)) as {
      items: readonly Item[];
      next_cursor?: string;
    };
    return { items, nextCursor };
  };
}

function add(sum: Faults, faults: Faults): void {
  for (const kind of Object.keys(sum) as (keyof Faults)[]) sum[kind] += faults[kind];
}

async function repeat(work: () => Promise<unknown>, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await work();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
