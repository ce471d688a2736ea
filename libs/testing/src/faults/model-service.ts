import type { PlainAnswer, ReceivedRequest } from './fault.js';
import { ModelTokens } from './model-tokens.js';

interface Row {
  readonly id: string;
  readonly version: number;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A minimal items service in memory: items by id, one key, one user. */
export class ModelService {
  static readonly apiKey = 'itk_secret-of-the-fault-server';
  readonly tokens = new ModelTokens();
  readonly rows = new Map<string, Row>();
  /** Number of creations, replacements and deletions. */
  writes = 0;
  private readonly created = new Map<string, PlainAnswer>();

  handle(request: ReceivedRequest): PlainAnswer {
    const [path = '', query = ''] = request.path.split('?');
    const token = this.tokens.handle(request, path);
    if (token !== undefined) return token;
    if (!this.isAllowed(request)) return refusal(401, 'unauthorized');
    const id = /^\/items\/([^/]+)$/.exec(path)?.[1];
    if (path === '/items')
      return request.method === 'POST' ? this.create(request) : this.page(new URLSearchParams(query));
    const row = this.rows.get(id ?? '');
    if (row === undefined) return refusal(404, 'item_not_found');
    const condition = request.headers['if-match'];
    if (condition !== undefined && condition !== etagOf(row)) return refusal(412, 'precondition_failed');
    if (request.method === 'PUT')
      return this.write({ ...row, version: row.version + 1, fields: fieldsOf(request) }, 200);
    if (request.method === 'DELETE') return this.remove(row);
    return request.headers['if-none-match'] === etagOf(row) ? { status: 304 } : shown(row, 200);
  }

  private isAllowed({ headers }: ReceivedRequest): boolean {
    return headers['x-api-key'] === ModelService.apiKey || this.tokens.isGood(headers.authorization);
  }

  private create(request: ReceivedRequest): PlainAnswer {
    const key = request.headers['idempotency-key'];
    const former = key === undefined ? undefined : this.created.get(key);
    if (former !== undefined) return former;
    const answer = this.write({ id: `item-${String(this.rows.size + 1)}`, version: 1, fields: fieldsOf(request) }, 201);
    if (key !== undefined) this.created.set(key, answer);
    return answer;
  }

  private write(row: Row, status: number): PlainAnswer {
    this.writes += 1;
    this.rows.set(row.id, row);
    return shown(row, status);
  }

  private remove(row: Row): PlainAnswer {
    this.writes += 1;
    this.rows.delete(row.id);
    return { status: 204 };
  }

  private page(query: URLSearchParams): PlainAnswer {
    const limit = Number(query.get('limit') ?? 20);
    const from = Number(query.get('cursor') ?? 0);
    const rows = [...this.rows.values()];
    const items = rows.slice(from, from + limit).map((row) => ({ ...row.fields, id: row.id }));
    const next = from + limit < rows.length ? { next_cursor: String(from + limit) } : {};
    return { status: 200, body: { items, limit, ...next } };
  }
}

function fieldsOf({ body }: ReceivedRequest): Row['fields'] {
  return JSON.parse(body) as Row['fields'];
}

function etagOf({ version }: Row): string {
  return `"v${String(version)}"`;
}

function shown(row: Row, status: number): PlainAnswer {
  return { status, headers: { etag: etagOf(row) }, body: { ...row.fields, id: row.id, updated_at: row.version } };
}

/** SPEC §7: formats an error as the service does. */
export function refusal(status: number, code: string, headers: Readonly<Record<string, string>> = {}): PlainAnswer {
  return { status, headers, body: { error: `This is refused: ${code}.`, code } };
}
