import type { Seeded } from './seeded.testing.js';
import type { VirtualTime } from './virtual-time.testing.js';

export interface ModelRow {
  readonly id: string;
  readonly name: string;
  /** Increases with each write of the service, so that later states have greater prices. */
  readonly price: number;
  readonly created_at: string;
  readonly updated_at: string;
}

interface ModelEvent {
  readonly type: string;
  readonly data: { readonly object: ModelRow; readonly previous?: Partial<ModelRow> };
  /** Time at which the feed lists the event. */
  readonly listedAtMs: number;
}

export interface Reply {
  readonly status: number;
  readonly body: object;
  readonly headers?: Readonly<Record<string, string>>;
}

interface Database {
  readonly rows: Map<string, ModelRow>;
  readonly events: ModelEvent[];
}

const PAGE_ROWS = 4;
const PAGE_EVENTS = 3;

/** Model of the specification: walks, feed, expiry and restored backups. */
export class ModelOfService {
  readonly rows = new Map<string, ModelRow>();
  /** Status of every response; 200 if the credential has permission. */
  access = 200;
  private readonly events: ModelEvent[] = [];
  private readonly walks = new Map<string, { readonly ids: readonly string[]; readonly rows: Map<string, ModelRow> }>();
  /** Number of events of each restored backup. */
  private readonly branches: number[] = [];
  private oldest = 0;
  private price = 0;
  private ids = 0;
  private readonly waiting = new Set<() => void>();
  private backup: Database | undefined;

  /** @param lagMs Maximum time between a write and its listing in the feed. @param tickMs Resolution of `updated_at`. */
  constructor(
    private readonly time: VirtualTime,
    private readonly random: Seeded,
    private readonly lagMs: number,
    private readonly tickMs: number,
  ) {}

  write(): void {
    const ids = [...this.rows.keys()];
    const kind = ids.length === 0 || this.random.chance(0.35) ? 'created' : this.random.pick(['updated', 'deleted']);
    if (kind === 'created') return this.create();
    const row = this.rows.get(this.random.pick(ids))!;
    if (kind === 'deleted') return this.delete(row);
    const updated_at = this.now() > row.updated_at ? this.now() : row.updated_at;
    const next = { ...row, price: (this.price += 1), updated_at };
    const { price } = row;
    const times = updated_at === row.updated_at ? {} : { updated_at: row.updated_at };
    this.put('item.updated', next, { price, ...times });
  }

  create(): void {
    this.put('item.created', this.newRow());
  }

  delete(row: ModelRow): void {
    this.rows.delete(row.id);
    this.add('item.deleted', { object: row });
  }

  /** Inserts a row with its former id and times, as an import does. */
  import(row: ModelRow): void {
    this.put('item.created', row);
  }

  takeBackup(): void {
    this.backup = { rows: new Map(this.rows), events: [...this.events] };
  }

  /** Discards all changes since the backup, and invalidates later positions. */
  restoreBackup(): void {
    if (this.backup === undefined) return;
    this.rows.clear();
    for (const [id, row] of this.backup.rows) this.rows.set(id, row);
    this.events.splice(0, this.events.length, ...this.backup.events);
    this.branches.push(this.events.length);
    this.oldest = Math.min(this.oldest, this.events.length);
    this.walks.clear();
    this.wake();
  }

  /** Deletes all events until now, and ends all walks. */
  expire(): void {
    this.oldest = this.listed();
    this.walks.clear();
  }

  walkNow(): string {
    return JSON.stringify([...this.rows.values()].sort((one, two) => (one.id < two.id ? -1 : 1)));
  }

  /** @param hasLeft Whether the caller has disconnected. */
  async respond(path: string, hasLeft: () => boolean): Promise<Reply> {
    const denial = this.denial();
    if (denial !== undefined) return denial;
    const { pathname, searchParams: query } = new URL(path);
    if (pathname === '/items') return this.walk(query.get('cursor'), Math.min(PAGE_ROWS, Number(query.get('limit'))));
    if (query.get('sort') === '-timestamp')
      return { status: 200, body: { events: [], after: this.position(this.listed()) } };
    const endMs = this.time.nowMs + Number(query.get('wait') ?? 0) * 1000;
    for (;;) {
      const page = this.page(String(query.get('after')));
      const isEmpty = 'events' in page.body && (page.body.events as unknown[]).length === 0;
      if (!isEmpty || this.time.nowMs >= endMs || hasLeft()) return page;
      await Promise.race([
        new Promise<void>((resolve) => this.waiting.add(resolve)),
        this.time.sleep(Math.min(1000, endMs - this.time.nowMs)),
      ]);
      const lateDenial = this.denial();
      if (lateDenial !== undefined) return lateDenial;
    }
  }

  private denial(): Reply | undefined {
    if (this.access === 200) return undefined;
    return refused(this.access, this.access === 401 ? 'unauthorized' : 'insufficient_scope');
  }

  private walk(cursor: string | null, limit: number): Reply {
    if (cursor === null) {
      const name = String(this.random.next());
      this.walks.set(name, { ids: [...this.rows.keys()].sort(), rows: new Map(this.rows) });
      return this.walkPage(name, 0, limit);
    }
    const [name = '', from = ''] = cursor.split(' ');
    return this.walkPage(name, Number(from), limit);
  }

  private walkPage(name: string, from: number, limit: number): Reply {
    const walk = this.walks.get(name);
    if (walk === undefined) return refused(400, 'expired_cursor');
    const items = walk.ids.slice(from, from + limit).flatMap((id) => (this.rows.has(id) ? [walk.rows.get(id)!] : []));
    const next = from + limit < walk.ids.length ? { next_cursor: `${name} ${String(from + limit)}` } : {};
    return { status: 200, body: { items, limit, ...next } };
  }

  private page(position: string): Reply {
    const [branch = 0, number = 0] = position.split('.').map(Number);
    const isLost = this.branches.slice(branch).some((kept) => number > kept);
    if (isLost || number < this.oldest) return refused(400, 'expired_cursor');
    const listed = this.listed();
    const end = Math.max(number, Math.min(number + PAGE_EVENTS, listed));
    const events = this.events.slice(number, end).map(({ type, data }) => ({ type, data }));
    const next = end < listed ? { next_cursor: 'more' } : {};
    return { status: 200, body: { events, limit: PAGE_EVENTS, after: this.position(end), ...next } };
  }

  private position(number: number): string {
    return `${String(this.branches.length)}.${String(number)}`;
  }

  private listed(): number {
    const index = this.events.findIndex(({ listedAtMs }) => listedAtMs > this.time.nowMs);
    return index === -1 ? this.events.length : index;
  }

  private newRow(): ModelRow {
    this.ids += 1;
    const id = String(this.ids).padStart(6, '0');
    return { id, name: `Item ${id}`, price: (this.price += 1), created_at: this.now(), updated_at: this.now() };
  }

  private put(type: string, row: ModelRow, previous?: Partial<ModelRow>): void {
    this.rows.set(row.id, row);
    this.add(type, { object: row, ...(previous && { previous }) });
  }

  private add(type: string, data: ModelEvent['data']): void {
    const former = this.events.at(-1)?.listedAtMs ?? 0;
    this.events.push({ type, data, listedAtMs: Math.max(former, this.time.nowMs + this.random.below(this.lagMs + 1)) });
    this.wake();
  }

  private wake(): void {
    for (const wake of this.waiting) wake();
    this.waiting.clear();
  }

  private now(): string {
    return new Date(Math.floor(this.time.nowMs / this.tickMs) * this.tickMs).toISOString();
  }
}

export function refused(status: number, code: string, headers: Readonly<Record<string, string>> = {}): Reply {
  return { status, headers, body: { error: `Refused: ${code}.`, code } };
}
