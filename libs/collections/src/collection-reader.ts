import { hash } from 'node:crypto';

import { type CursorPage, type Eventual, JsonText, type OffsetPage, andThen } from '@items/conventions';
import {
  cursorLinks,
  offsetLinks,
  type CursorPosition,
  type CursorRequest,
  type ListFilter,
  type ListRequest,
  type OffsetRequest,
  type PageLinks,
  type SortKey,
} from '@items/paging';
import type { Database, Dialect, RowValues } from '@items/store';
import { FIRST_CLOCK, LANES, type Column } from '@items/store/parts';

import { WalkAnnouncer } from './announce-walks.js';
import type { Snapshot } from './bindings.js';
import type { CollectionDefinition, Identified } from './collection.js';
import { countCombinations } from './combinations.js';
import { type CursorPolicy, Cursors } from './cursors.js';
import { OffsetPages } from './offset-page.js';
import { Ordering } from './ordering.js';
import { namedRow } from './row-values.js';
import type { Totals } from './totals.js';
import { Walk, type WalkPlan, type WalkStep } from './walk.js';

/** A page of a list, and where it leads. SPEC §4 */
export interface ListAnswer<Resource> {
  readonly body: OffsetPage<string, Resource> | CursorPage<string, Resource>;
  /** The same as it is sent. */
  readonly json: JsonText;
  readonly links: PageLinks;
}

/** The default order, and that of the ids: they hold the time of creation. */
const CREATION: readonly SortKey[] = [{ field: 'created_at', descending: false }];

/** What a page needs of its collection. */
type Presentation<Resource extends Identified> = Pick<
  CollectionDefinition<Resource, never>,
  'name' | 'columns' | 'present' | 'writeValues'
>;

/** What does not change from one page of a list to the next. */
interface ListPlan {
  readonly path: string;
  readonly sort: readonly SortKey[];
  readonly parent: ListFilter;
  readonly ordering: Ordering;
  readonly fingerprint: string;
  readonly walk: Walk;
  readonly pages: OffsetPages;
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
  private readonly announcer: WalkAnnouncer;

  constructor(
    private readonly database: Database,
    private readonly definition: Presentation<Resource>,
    private readonly columns: readonly Column[],
    private readonly totals: Totals,
    policy: CursorPolicy,
  ) {
    this.cursors = new Cursors(policy);
    this.announcer = new WalkAnnouncer(database, definition.name, policy.ttlMs / LEASES_IN_A_LIFETIME);
  }

  /**
   * @param path of the collection: cursors are bound to it.
   * @param parent what the path narrows, such as the user of an order.
   */
  list(request: ListRequest, path: string, parent: ListFilter = {}): Eventual<ListAnswer<Resource>> {
    const plan = this.planOf(request, path, parent);
    return request.style === 'offset' ? this.offsetPage(request, plan) : this.cursorPage(request, plan);
  }

  private offsetPage({ page, perPage }: OffsetRequest, { pages }: ListPlan): Eventual<ListAnswer<Resource>> {
    return andThen(pages.read(page, perPage), ({ rows, total }) => {
      const rest = { page, per_page: perPage, total };
      return new Page(this.definition, rows, rest, offsetLinks({ page, perPage, total }));
    });
  }

  private cursorPage({ limit, cursor }: CursorRequest, plan: ListPlan): Eventual<ListAnswer<Resource>> {
    const step = cursor === undefined ? plan.walk.begin(limit) : this.resumed(plan, cursor, limit);
    return andThen(step, ({ rows, more, snapshot }) => {
      const last = more ? rows.at(-1) : undefined;
      const nextCursor = last && this.cursorAfter(last, plan, snapshot);
      const rest = { limit, ...(nextCursor !== undefined && { next_cursor: nextCursor }) };
      return new Page(this.definition, rows, rest, cursorLinks({ limit, nextCursor }));
    });
  }

  private resumed(
    { walk, fingerprint }: ListPlan,
    cursor: string,
    limit: number,
  ): Eventual<WalkStep & { snapshot: Snapshot }> {
    const position = this.cursors.read(cursor, fingerprint);
    const snapshot = snapshotOf(position, this.database.dialect);
    return andThen(walk.resume(position, snapshot, limit), ({ rows, more }) => ({ rows, more, snapshot }));
  }

  private cursorAfter(row: RowValues, { fingerprint, ordering }: ListPlan, { clocks, epoch }: Snapshot): string {
    const { key, id } = ordering.placeOf(row);
    return this.cursors.make({ fingerprint, issuedAtMs: Date.now(), snapshot: clocks, epoch, key, id });
  }

  private planOf({ sort, filter }: ListRequest, path: string, parent: ListFilter): ListPlan {
    let plans = this.plans.get(filter);
    if (plans === undefined) this.plans.set(filter, (plans = []));
    let plan = plans.find((each) => each.path === path && each.sort === sort && isSameParent(each.parent, parent));
    if (plan === undefined) {
      plan = this.plan(sort, filter, path, parent);
      const isKept = countCombinations(Object.values(filter)) <= KEPT_CHOICES;
      if (isKept && plans.length < PLANS_OF_A_FILTER) plans.push(plan);
    }
    return plan;
  }

  private plan(sort: readonly SortKey[], requested: ListFilter, path: string, parent: ListFilter): ListPlan {
    // First and last: the order is part of the fingerprint, and the path has the last word.
    const filter = { ...parent, ...requested, ...parent };
    // A key that the filter fixes orders nothing.
    const free = sort.filter((key) => filter[key.field]?.length !== 1);
    const keys = (free.length > 0 ? free : CREATION).map((key) => ({ ...key, nullable: this.isNullable(key.field) }));
    const columns = this.columns.map((column) => column.name);
    const ordering = new Ordering(this.database.dialect, keys, columns);
    const plan: WalkPlan = { collection: this.definition.name, columns, filter, parent, ordering };
    return {
      path,
      sort,
      parent,
      ordering,
      fingerprint: fingerprintOf(path, sort, filter),
      walk: new Walk(this.database, plan, this.announcer),
      pages: new OffsetPages(this.database, plan, this.totals),
    };
  }

  private isNullable(field: string): boolean {
    return this.columns.some((column) => column.name === field && column.nullable);
  }
}

/** A page whose members are made when they are asked for, as objects or as they are sent. */
class Page<Resource extends Identified> implements ListAnswer<Resource> {
  constructor(
    private readonly definition: Presentation<Resource>,
    private readonly rows: readonly RowValues[],
    private readonly rest: object,
    readonly links: PageLinks,
  ) {}

  get body(): ListAnswer<Resource>['body'] {
    const { name, columns, present } = this.definition;
    const members = { [name]: this.rows.map((row) => present(namedRow(columns, row))) };
    return { ...members, ...this.rest } as unknown as ListAnswer<Resource>['body'];
  }

  get json(): JsonText {
    const { name, writeValues } = this.definition;
    let text = `{"${name}":[`;
    let isFirst = true;
    for (const row of this.rows) {
      text += isFirst ? writeValues(row) : `,${writeValues(row)}`;
      isFirst = false;
    }
    return new JsonText(`${text}],${JSON.stringify(this.rest).slice(1)}`);
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

/** Binds a cursor to what it was made for. SPEC §4.1 */
function fingerprintOf(path: string, sort: readonly SortKey[], filter: ListFilter): string {
  const terms = JSON.stringify([path, sort.map((key) => [key.field, key.descending]), Object.entries(filter)]);
  return hash('sha256', terms, 'base64url').slice(0, 11);
}
