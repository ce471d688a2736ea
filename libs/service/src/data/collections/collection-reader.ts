import { InvalidQueryError, MAX_PAGE_SIZE, type MaybePromise, thenMaybe } from '@items/conventions';
import {
  cursorLinks,
  offsetLinks,
  type CursorPosition,
  type CursorRequest,
  type ListFilter,
  type ListRequest,
  type OffsetRequest,
} from '@items/paging';
import type { Database, RowValues, ValueReader } from '../database/database.js';
import type { Dialect } from '../schema/dialect.js';
import type { StandbyReads } from '../standbys/standby-reads.js';
import { FIRST_CLOCK, LANES } from '../schema/schema.js';
import type { Column } from '../schema/columns.js';
import { WalkAnnouncer } from '../lists/announce-walks.js';
import type { Snapshot } from '../lists/page-statement.js';
import type { HasId } from '../definition/collection.js';
import { countCombinations } from '../lists/filter-conditions.js';
import { ALL_PARENTS, type ParentKeys } from '../definition/parent-keys.js';
import { type CursorPolicy, Cursors } from '../lists/cursors.js';
import { type ListResponse, ListPage, PageText, type Presentation } from '../lists/list-page.js';
import { type ListedCollection, ListPlan, type Pages } from '../lists/list-plan.js';
import type { Totals } from '../lists/totals.js';
import type { Walk, WalkStep } from '../lists/walk.js';

interface FilledPage {
  readonly snapshot: Snapshot;
  readonly text: PageText<RowValues>;
  readonly more: boolean;
}

/** Plans with more combinations of filter values are not cached, because their SQL may take a hundred megabytes. */
const MAX_CACHED_COMBINATIONS = 4;
/**
 * Maximum number of cached plans per filter. Plans also differ by `parent`, because callers may see different members
 * at one path.
 */
const PLANS_OF_A_FILTER = 10;
/** Lifetime of a cursor divided by the lease of an announced walk. One hour gives one second. */
const LEASES_IN_A_LIFETIME = 3600;

/**
 * Reads lists in cursor and offset style. The parser reuses the filter and sort objects of equal queries, so equal
 * queries share a plan. SPEC §4
 */
export class CollectionReader<Resource extends HasId> {
  private readonly plans = new WeakMap<ListFilter, ListPlan[]>();
  private readonly cursors: Cursors;
  private readonly collection: ListedCollection;

  constructor(
    private readonly database: Database,
    private readonly definition: Presentation<Resource>,
    columns: readonly Column[],
    totals: Totals,
    policy: CursorPolicy,
    private readonly standbys?: StandbyReads,
  ) {
    const { name, parent, keyBytes } = definition;
    this.cursors = new Cursors(policy);
    const announcer = new WalkAnnouncer(database, name, policy.ttlMs / LEASES_IN_A_LIFETIME);
    this.collection = { dialect: database.dialect, name, parent, columns, keyBytes, totals, announcer };
  }

  /** @throws {ServiceUnavailableError} 503 `too_slow`: a list without an index takes too long. SPEC §4.1 */
  list(request: ListRequest, path: string, parent: ParentKeys = ALL_PARENTS): MaybePromise<ListResponse<Resource>> {
    const plan = this.planOf(request, path, parent);
    const { reader } = request;
    if (this.standbys === undefined || reader === undefined) return this.pageFrom(this.database, request, plan);
    return this.standbys.read(reader(), (database) => this.pageFrom(database, request, plan));
  }

  private pageFrom(database: Database, request: ListRequest, plan: ListPlan): MaybePromise<ListResponse<Resource>> {
    return request.style === 'offset'
      ? this.offsetPage(database, request, plan)
      : this.cursorPage(database, request, plan);
  }

  private offsetPage(
    from: Database,
    { page, perPage, ...request }: OffsetRequest,
    plan: ListPlan,
  ): MaybePromise<ListResponse<Resource>> {
    const found = this.readFor(from, request, plan, (database, { offset }) => offset.read(database, page, perPage));
    return thenMaybe(found, ({ rows, total }) => {
      const rest = { page, per_page: perPage, total };
      return new ListPage(this.definition, rows, rest, offsetLinks({ page, perPage, total }));
    });
  }

  private cursorPage(
    from: Database,
    { limit, cursor, ...request }: CursorRequest,
    plan: ListPlan,
  ): MaybePromise<ListResponse<Resource>> {
    if (!plan.hasRoom) throw tooLongSort();
    const position = cursor === undefined ? undefined : this.cursors.read(cursor, plan.fingerprint);
    if (plan.isEmpty)
      return new ListPage(this.definition, [], { limit }, cursorLinks({ limit, nextCursor: undefined }));
    const found = this.readFor(from, request, plan, (database, { walk }) =>
      this.fillPage(database, walk, position, limit),
    );
    return thenMaybe(found, ({ text, more, snapshot }) => {
      const last = more ? text.rows.at(-1) : undefined;
      const { clocks, epoch } = snapshot;
      const at = { fingerprint: plan.fingerprint, issuedAtMs: Date.now(), snapshot: clocks, epoch };
      const nextCursor = last && this.cursors.make({ ...at, ...plan.ordering.positionOf(last) });
      const rest = nextCursor === undefined ? { limit } : { limit, next_cursor: nextCursor };
      return new ListPage(this.definition, text.rows, rest, cursorLinks({ limit, nextCursor }), text.json(rest));
    });
  }

  /** Reads directly if an index limits the cost, otherwise by {@link Database.readSlowly}. */
  private readFor<Found>(
    from: Database,
    { caller = () => '', arrivedAtMs }: Pick<ListRequest, 'caller' | 'arrivedAtMs'>,
    plan: ListPlan,
    read: (database: ValueReader, pages: Pages) => MaybePromise<Found | undefined>,
  ): MaybePromise<Found> {
    return thenMaybe(read(from, plan.light), (found) => {
      if (found !== undefined) return found;
      const readSlowly = (slow: ValueReader): MaybePromise<Found> =>
        thenMaybe(read(slow, plan.slow), (foundSlowly) => {
          if (foundSlowly === undefined) throw new Error('A slow read returned no page.');
          return foundSlowly;
        });
      return from.readSlowly(caller(), readSlowly, arrivedAtMs);
    });
  }

  private fillPage(
    database: ValueReader,
    walk: Walk,
    position: CursorPosition | undefined,
    limit: number,
  ): MaybePromise<FilledPage | undefined> {
    const { name, valuesToJson, rowsPerRead = MAX_PAGE_SIZE } = this.definition;
    const text = new PageText(name, valuesToJson);
    const fill = (step: WalkStep | undefined): MaybePromise<FilledPage | undefined> => {
      if (step === undefined) return undefined;
      const { rows, more, snapshot } = step;
      text.add(rows);
      const last = text.rows.at(-1);
      const missing = limit - text.rows.length;
      if (!more || text.isFull || missing === 0 || last === undefined) {
        return { text, more: more || text.isFull, snapshot };
      }
      const next = walk.resume(database, walk.positionOf(last), snapshot, Math.min(missing, rowsPerRead));
      return thenMaybe(next, fill);
    };
    const size = Math.min(limit, rowsPerRead);
    const first =
      position === undefined
        ? walk.begin(database, size)
        : walk.resume(database, position, snapshotOf(position, database.dialect), size);
    return thenMaybe(first, fill);
  }

  private planOf(request: ListRequest, path: string, parent: ParentKeys): ListPlan {
    const { sort, filter } = request;
    const range = request.style === 'cursor' ? request.range : undefined;
    let plans = this.plans.get(filter);
    if (plans === undefined) this.plans.set(filter, (plans = []));
    for (const plan of plans) {
      const { key } = plan;
      const isSame = key.path === path && key.sort === sort && key.range === range;
      if (isSame && (key.parent === parent || isSameParent(key.parent, parent))) return plan;
    }
    const plan = new ListPlan(this.collection, { path, sort, filter, range, parent });
    const isCached = countCombinations(Object.values(filter)) <= MAX_CACHED_COMBINATIONS;
    if (isCached && plans.length < PLANS_OF_A_FILTER) plans.push(plan);
    return plan;
  }
}

/** A cursor that SQLite issued has fewer lanes than PostgreSQL. Each missing lane gets its first clock. */
function snapshotOf({ snapshot, epoch }: CursorPosition, dialect: Dialect): Snapshot {
  const lanes = Math.max(LANES[dialect], snapshot.length);
  if (lanes === snapshot.length) return { clocks: snapshot, epoch };
  return { clocks: Array.from({ length: lanes }, (_, lane) => snapshot[lane] ?? FIRST_CLOCK), epoch };
}

function isSameParent(one: ParentKeys, other: ParentKeys): boolean {
  const columns = Object.keys(one);
  return columns.length === Object.keys(other).length && columns.every((column) => one[column] === other[column]);
}

function tooLongSort(): InvalidQueryError {
  return new InvalidQueryError(
    'sort',
    'sort_too_long',
    'The text fields in "sort" are too long together for a cursor: sort by fewer of them, or use "page".',
  );
}
