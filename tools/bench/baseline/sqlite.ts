import { DatabaseSync } from 'node:sqlite';

import fastify, { type FastifyReply } from 'fastify';

import {
  columns,
  cursorPage,
  listen,
  placeOf,
  present,
  schemas,
  uuidAt,
  valuesOf,
  type Input,
  type Row,
} from './items.ts';

/**
 * Baseline on SQLite: bare Fastify with prepared statements, on a table with the service's columns and indexes. It has
 * no credentials, quotas, versions or logs. Writes are durable; all writes of one turn of the event loop are one
 * transaction.
 */
const [file = ''] = process.argv.slice(2);
const database = new DatabaseSync(file, { timeout: 5000 });
for (const pragma of ['journal_mode = WAL', 'synchronous = FULL', 'wal_autocheckpoint = 4000', 'cache_size = -65536']) {
  database.exec(`PRAGMA ${pragma}`);
}

const byId = database.prepare(`SELECT ${columns} FROM plain WHERE id = ?`);
const after = database.prepare(`SELECT ${columns} FROM plain WHERE (price, id) > (?, ?) ORDER BY price, id LIMIT ?`);
const at = database.prepare(`SELECT ${columns} FROM plain ORDER BY price, id LIMIT ? OFFSET ?`);
const count = database.prepare('SELECT n FROM plain_count');
const addToCount = database.prepare('UPDATE plain_count SET n = n + ?');
const insert = database.prepare(
  'INSERT INTO plain (id, name, description, color, price, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
);
const update = database.prepare(
  `UPDATE plain SET name = ?, description = ?, color = ?, price = ?, updated_at = ? WHERE id = ? RETURNING ${columns}`,
);
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];

const app = fastify();

app.get('/items/:id', { schema: schemas.get }, (request, reply) => {
  const row = byId.get((request.params as { id: string }).id) as Row | undefined;
  if (row === undefined) return reply.callNotFound();
  return present(row);
});

app.get('/items', { schema: schemas.list }, (request) => {
  const query = request.query as { limit?: string; cursor?: string; page?: string; per_page?: string };
  if (query.per_page === undefined) {
    const limit = Number(query.limit ?? 20);
    return cursorPage(after.all(...placeOf(query.cursor), limit + 1) as unknown as Row[], limit);
  }
  const [page, perPage] = [Number(query.page ?? 1), Number(query.per_page)];
  const items = (at.all(perPage, (page - 1) * perPage) as unknown as Row[]).map(present);
  return { items, total: count.get()?.n, page, per_page: perPage };
});

app.post('/items', { schema: schemas.create }, (request, reply) => {
  const body = request.body as Input;
  const now = Date.now();
  const id = uuidAt(now);
  inGroup(reply, () => {
    const [name, description, color, price] = valuesOf(body, now);
    insert.run(id, name, description, color, price, now, now);
    added += 1;
    reply.code(201).header('location', `/items/${id}`);
    return { id, name, description, color, price, created_at: now, updated_at: now };
  });
});

app.put('/items/:id', { schema: schemas.replace }, (request, reply) => {
  const { id } = request.params as { id: string };
  const values = valuesOf(request.body as Input, Date.now());
  inGroup(reply, () => update.get(...values, id) as Row | undefined);
});

let group: { reply: FastifyReply; write: () => Row | undefined }[] = [];
let added = 0;

/** Queues a write for one transaction with all writes of this turn of the event loop. Responds after its commit. */
function inGroup(reply: FastifyReply, write: () => Row | undefined) {
  if (group.length === 0) setImmediate(commitGroup);
  group.push({ reply, write });
}

function commitGroup() {
  const writes = group;
  group = [];
  added = 0;
  begin.run();
  const rows = writes.map(({ write }) => write());
  if (added > 0) addToCount.run(added);
  commit.run();
  for (const [index, { reply }] of writes.entries()) {
    const row = rows[index];
    if (row === undefined) reply.callNotFound();
    else reply.send(present(row));
  }
}

await listen(app);
