import {
  InvalidQueryError,
  type JsonPieces,
  type JsonText,
  MAX_PAGE_SIZE,
  type MaybePromise,
  thenMaybe,
} from '@items/conventions';
import {
  cursorLinks,
  offsetLinks,
  type CursorPosition,
  type CursorRequest,
  type ListFilter,
  type ListRequest,
  type OffsetRequest,
} from '@items/paging';
import type { Database, RowValues, ValueReader } from '../store/database/database.js';
import type { Dialect } from '../store/schema/dialect.js';
import type { ReadReplicas } from '../store/replicas/read-replicas.js';
import { FIRST_CLOCK, LANES } from '../store/schema/schema.js';
import type { Column } from '../store/schema/columns.js';

import { WalkAnnouncer } from './announce-walks.js';
import type { Snapshot } from './bindings.js';
import type { Identified } from './collection.js';
import { countCombinations } from './combinations.js';
import { type CursorPolicy, Cursors } from './cursors.js';
import { type ListAnswer, ListPage, type Presentation, PageText, pageJson } from './list-page.js';
import { type ListedCollection, ListPlan, type Pages } from './list-plan.js';
import type { Totals } from './totals.js';
import type { Walk, WalkStep } from './walk.js';

/** Where a walk goes on. */
interface WalkAt {
  readonly database: ValueReader;
  readonly walk: Walk;
  readonly snapshot: Snapshot;
  /** So many members are read at once. */
  readonly size: number;
}

/** The members of a page, and whether others follow. */
interface FilledPage {
  readonly snapshot: Snapshot;
  readonly text: PageText<RowValues>;
  readonly more: boolean;
}

/**
 * Statements have a range for each choice of values: up to so many choices a plan is kept, since five hundred queries by
 * dozens of values would keep a hundred megabytes of text.
 */
const KEPT_CHOICES = 4;
/** So many parents share what was parsed of one query: those of callers who each see their own members at one path. */
const PLANS_OF_A_FILTER = 10;
/** Walks that begin are announced so often in the life of a cursor at most: once a second, where it is an hour. */
const LEASES_IN_A_LIFETIME = 3600;

/**
 * Serves the lists of a collection in both styles. What a list is asked for is planned once: requests that hold the very
 * same filter and sort, as those that were parsed from one text do, share their plan. SPEC §4
 */
export class CollectionReader<Resource extends Identified> {
  private readonly plans = new WeakMap<ListFilter, ListPlan[]>();
  private readonly cursors: Cursors;
  private readonly collection: ListedCollection;

  constructor(
    private readonly database: Database,
    private readonly definition: Presentation<Resource>,
    columns: readonly Column[],
    totals: Totals,
    policy: CursorPolicy,
    private readonly replicas?: ReadReplicas,
  ) {
    const { name, parent, keyBytes } = definition;
    this.cursors = new Cursors(policy);
    const announcer = new WalkAnnouncer(database, name, policy.ttlMs / LEASES_IN_A_LIFETIME);
    this.collection = { dialect: database.dialect, name, parent, columns, keyBytes, totals, announcer };
  }

  /**
   * @param path of the collection: cursors are bound to it.
   * @param parent what the path narrows, such as the user of an order.
   * @throws {ServiceUnavailableError} 503 `too_slow`: no index serves the list, and it takes too long. SPEC §4.1
   */
  list(request: ListRequest, path: string, parent: ListFilter = {}): MaybePromise<ListAnswer<Resource>> {
    const plan = this.planOf(request, path, parent);
    const { reader } = request;
    if (this.replicas === undefined || reader === undefined) return this.pageFrom(this.database, request, plan);
    return this.replicas.read(reader(), (database) => this.pageFrom(database, request, plan));
  }

  private pageFrom(database: Database, request: ListRequest, plan: ListPlan): MaybePromise<ListAnswer<Resource>> {
    return request.style === 'offset'
      ? this.offsetPage(database, request, plan)
      : this.cursorPage(database, request, plan);
  }

  private offsetPage(
    from: Database,
    { page, perPage, ...request }: OffsetRequest,
    plan: ListPlan,
  ): MaybePromise<ListAnswer<Resource>> {
    const found = this.readFor(from, request, plan, (database, { pages }) => pages.read(database, page, perPage));
    return thenMaybe(found, ({ rows, total }) => {
      const rest = { page, per_page: perPage, total };
      const json = (): JsonText | JsonPieces => pageJson(this.definition.name, rows, this.definition.writeValues, rest);
      return new ListPage(this.definition, rows, rest, json, offsetLinks({ page, perPage, total }));
    });
  }

  private cursorPage(
    from: Database,
    { limit, cursor, ...request }: CursorRequest,
    plan: ListPlan,
  ): MaybePromise<ListAnswer<Resource>> {
    if (!plan.hasRoom) throw tooLongSort();
    const size = Math.min(limit, this.definition.rowsAtOnce ?? MAX_PAGE_SIZE);
    const position = cursor === undefined ? undefined : this.cursors.read(cursor, plan.fingerprint);
    if (plan.isEmpty) return this.emptyPage(limit);
    const found = this.readFor(from, request, plan, (database, { walk }) =>
      this.walkFrom(database, walk, position, size, limit),
    );
    return thenMaybe(found, ({ text, more, snapshot }) => {
      const last = more ? text.rows.at(-1) : undefined;
      const nextCursor = last && this.cursorAfter(last, plan, snapshot);
      const rest = { limit, ...(nextCursor !== undefined && { next_cursor: nextCursor }) };
      return new ListPage(this.definition, text.rows, rest, () => text.json(rest), cursorLinks({ limit, nextCursor }));
    });
  }

  /** Of a range in which nothing can be. */
  private emptyPage(limit: number): ListAnswer<Resource> {
    const { name, writeValues } = this.definition;
    const json = (): JsonText => new PageText(name, writeValues).json({ limit });
    return new ListPage(this.definition, [], { limit }, json, cursorLinks({ limit, nextCursor: undefined }));
  }

  /**
   * Reads on the main thread where an index bounds what it costs, else slowly.
   * @param request whose caller takes turns with others for slow reads.
   */
  private readFor<Found>(
    from: Database,
    { caller = '', arrivedAtMs }: Pick<ListRequest, 'caller' | 'arrivedAtMs'>,
    plan: ListPlan,
    read: (database: ValueReader, pages: Pages) => MaybePromise<Found | undefined>,
  ): MaybePromise<Found> {
    return thenMaybe(read(from, plan.light), (found) => {
      if (found !== undefined) return found;
      const readSlowly = (slow: ValueReader): MaybePromise<Found> =>
        thenMaybe(read(slow, plan.slow), (foundSlowly) => {
          if (foundSlowly === undefined) throw new Error('A slow read found that it is slow.');
          return foundSlowly;
        });
      return from.readSlowly(caller, readSlowly, arrivedAtMs);
    });
  }

  /** A page of a walk. @param position where it goes on; undefined where it begins. @returns undefined for a slow one. */
  private walkFrom(
    database: ValueReader,
    walk: Walk,
    position: CursorPosition | undefined,
    size: number,
    limit: number,
  ): MaybePromise<FilledPage | undefined> {
    const { name, writeValues } = this.definition;
    const text = new PageText(name, writeValues);
    if (position === undefined) {
      return thenMaybe(
        walk.begin(database, size),
        (step) => step && this.fill(text, limit, step, { database, walk, snapshot: step.snapshot, size }),
      );
    }
    const snapshot = snapshotOf(position, database.dialect);
    return thenMaybe(
      walk.resume(database, position, snapshot, size),
      (step) => step && this.fill(text, limit, step, { database, walk, snapshot, size }),
    );
  }

  /** Goes on with the walk until the page has so many members, or as many as there is room for. */
  private fill(
    text: PageText<RowValues>,
    limit: number,
    { rows, more }: WalkStep,
    at: WalkAt,
  ): MaybePromise<FilledPage | undefined> {
    const { database, walk, snapshot } = at;
    text.add(rows);
    const last = text.rows.at(-1);
    const missing = limit - text.rows.length;
    if (!more || text.isFull || missing === 0 || last === undefined) {
      return { text, more: more || text.isFull, snapshot };
    }
    const next = walk.resume(database, walk.placeOf(last), snapshot, Math.min(missing, at.size));
    return thenMaybe(next, (step) => step && this.fill(text, limit, step, at));
  }

  private cursorAfter(row: RowValues, { fingerprint, ordering }: ListPlan, { clocks, epoch }: Snapshot): string {
    const { key, id } = ordering.placeOf(row);
    return this.cursors.make({ fingerprint, issuedAtMs: Date.now(), snapshot: clocks, epoch, key, id });
  }

  private planOf(request: ListRequest, path: string, parent: ListFilter): ListPlan {
    const { sort, filter } = request;
    const range = request.style === 'cursor' ? request.range : undefined;
    let plans = this.plans.get(filter);
    if (plans === undefined) this.plans.set(filter, (plans = []));
    let plan = plans.find(
      ({ key }) => key.path === path && key.sort === sort && key.range === range && isSameParent(key.parent, parent),
    );
    if (plan === undefined) {
      plan = new ListPlan(this.collection, { path, sort, filter, range, parent });
      const isKept = countCombinations(Object.values(filter)) <= KEPT_CHOICES;
      if (isKept && plans.length < PLANS_OF_A_FILTER) plans.push(plan);
    }
    return plan;
  }
}

/** A walk that began on SQLite goes on in a copy on PostgreSQL, where the other lanes stood at their beginning. */
function snapshotOf({ snapshot, epoch }: CursorPosition, dialect: Dialect): Snapshot {
  const lanes = Math.max(LANES[dialect], snapshot.length);
  if (lanes === snapshot.length) return { clocks: snapshot, epoch };
  return { clocks: Array.from({ length: lanes }, (_, lane) => snapshot[lane] ?? FIRST_CLOCK), epoch };
}

/** Parents are one value a column. */
function isSameParent(one: ListFilter, other: ListFilter): boolean {
  const columns = Object.keys(one);
  return (
    columns.length === Object.keys(other).length && columns.every((column) => one[column]?.[0] === other[column]?.[0])
  );
}

function tooLongSort(): InvalidQueryError {
  return new InvalidQueryError(
    'sort',
    'sort_too_long',
    '"sort" names texts that are too long together for a cursor: name fewer of them, or ask for pages by "page".',
  );
}
