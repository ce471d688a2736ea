import { hash } from 'node:crypto';

import type { CursorPage, OffsetPage } from '@items/conventions';
import { ExpiredCursorError } from '@items/errors';
import {
  cursorLinks,
  decodeCursor,
  encodeCursor,
  offsetLinks,
  type CursorPosition,
  type CursorRequest,
  type ListFilter,
  type ListRequest,
  type Mac,
  type OffsetRequest,
  type PageLinks,
  type SortKey,
} from '@items/paging';
import type { Database, Dialect } from '@items/store';
import { FIRST_CLOCK, LANES, type Column, type VersionedRow } from '@items/store/parts';

import type { CollectionDefinition, Identified } from './collection.js';
import { OffsetPages } from './offset-page.js';
import { Ordering } from './ordering.js';
import type { Snapshot } from './snapshot.js';
import type { Totals } from './totals.js';
import { Walk, type WalkPlan, type WalkStep } from './walk.js';

/** A page of a list, and where it leads. SPEC §4 */
export interface ListAnswer<Resource> {
  readonly body: OffsetPage<string, Resource> | CursorPage<string, Resource>;
  readonly links: PageLinks;
}

/** How cursors are authenticated, and how long they live. */
export interface CursorPolicy {
  readonly macs: readonly Mac[];
  readonly ttlMs: number;
}

/** The default order, and that of the ids: they hold the time of creation. */
const CREATION: readonly SortKey[] = [{ field: 'created_at', descending: false }];

/** Serves the lists of a collection in both styles. SPEC §4 */
export class CollectionReader<Row extends VersionedRow, Resource extends Identified> {
  constructor(
    private readonly database: Database,
    private readonly definition: Pick<CollectionDefinition<Resource, never>, 'name' | 'present'>,
    private readonly columns: readonly Column[],
    private readonly totals: Totals,
    private readonly policy: CursorPolicy,
  ) {}

  /**
   * @param path of the collection: cursors are bound to it.
   * @param parent what the path narrows, such as the user of an order.
   */
  list(request: ListRequest, path: string, parent: ListFilter = {}): Promise<ListAnswer<Resource>> {
    const plan = this.plan(request.sort, request.filter, parent);
    return request.style === 'offset' ? this.offsetPage(request, plan) : this.cursorPage(request, path, plan);
  }

  private async offsetPage(request: OffsetRequest, plan: WalkPlan): Promise<ListAnswer<Resource>> {
    const { page, perPage } = request;
    const pages = new OffsetPages<Row>(this.database, plan, this.totals);
    const { rows, total } = await pages.read(page, perPage);
    const body = { [this.definition.name]: rows.map(this.definition.present), page, per_page: perPage, total };
    return { body: body as OffsetPage<string, Resource>, links: offsetLinks({ page, perPage, total }) };
  }

  private async cursorPage(request: CursorRequest, path: string, plan: WalkPlan): Promise<ListAnswer<Resource>> {
    const { limit, cursor, sort } = request;
    const walk = new Walk<Row>(this.database, plan);
    const fingerprint = fingerprintOf(path, sort, plan.filter);
    const position = cursor === undefined ? undefined : this.decode(cursor, fingerprint);
    const { rows, more, snapshot } =
      position === undefined ? await walk.begin(limit) : await this.resumed(walk, position, limit);
    const last = more ? rows.at(-1) : undefined;
    const nextCursor =
      last &&
      encodeCursor(
        {
          fingerprint,
          issuedAtMs: Date.now(),
          snapshot: snapshot.clocks,
          epoch: snapshot.epoch,
          ...plan.ordering.placeOf(last),
        },
        this.signer,
      );
    const body = {
      [this.definition.name]: rows.map(this.definition.present),
      limit,
      ...(nextCursor !== undefined && { next_cursor: nextCursor }),
    };
    return { body: body as CursorPage<string, Resource>, links: cursorLinks({ limit, nextCursor }) };
  }

  private async resumed(
    walk: Walk<Row>,
    position: CursorPosition,
    limit: number,
  ): Promise<WalkStep<Row> & { snapshot: Snapshot }> {
    const snapshot = snapshotOf(position, this.database.dialect);
    return { ...(await walk.resume(position, snapshot, limit)), snapshot };
  }

  private decode(cursor: string, fingerprint: string): ReturnType<typeof decodeCursor> {
    const position = decodeCursor(cursor, fingerprint, this.policy.macs);
    if (Date.now() - position.issuedAtMs > this.policy.ttlMs) throw new ExpiredCursorError();
    return position;
  }

  private get signer(): Mac {
    const [newest] = this.policy.macs;
    if (newest === undefined) throw new Error('There is no secret for cursors.');
    return newest;
  }

  private plan(sort: readonly SortKey[], requested: ListFilter, parent: ListFilter): WalkPlan {
    const filter = { ...parent, ...requested };
    // A key that the filter fixes orders nothing.
    const free = sort.filter((key) => filter[key.field]?.length !== 1);
    const keys = (free.length > 0 ? free : CREATION).map((key) => ({ ...key, nullable: this.isNullable(key.field) }));
    return {
      collection: this.definition.name,
      columns: this.columns.map((column) => column.name),
      filter,
      parent,
      ordering: new Ordering(this.database.dialect, keys),
    };
  }

  private isNullable(field: string): boolean {
    return this.columns.some((column) => column.name === field && column.nullable);
  }
}

/** A walk that began on SQLite goes on in a copy on PostgreSQL, where the other lanes stood at their beginning. */
function snapshotOf({ snapshot, epoch }: CursorPosition, dialect: Dialect): Snapshot {
  const lanes = Math.max(LANES[dialect], snapshot.length);
  return { clocks: Array.from({ length: lanes }, (_, lane) => snapshot[lane] ?? FIRST_CLOCK), epoch };
}

/** Binds a cursor to what it was made for. SPEC §4.1 */
function fingerprintOf(path: string, sort: readonly SortKey[], filter: ListFilter): string {
  const terms = JSON.stringify([path, sort.map((key) => [key.field, key.descending]), Object.entries(filter)]);
  return hash('sha256', terms, 'base64url').slice(0, 11);
}
