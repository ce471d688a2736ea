import fastify from 'fastify';
import pg from 'pg';

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

/** Baseline on PostgreSQL: bare Fastify and pg with named statements, on a table with the service's indexes. */
const [url = ''] = process.argv.slice(2);
const pool = new pg.Pool({
  connectionString: url,
  types: {
    // Prices and times are safe integers, but the driver returns bigint as text.
    getTypeParser: ((oid, format) =>
      oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
  },
});

const byId = `SELECT ${columns} FROM plain WHERE id = $1`;
const after = `SELECT ${columns} FROM plain WHERE (price, id) > ($1, $2) ORDER BY price, id LIMIT $3`;
const at = `SELECT ${columns} FROM plain ORDER BY price, id LIMIT $1 OFFSET $2`;
const insert = `INSERT INTO plain (name, description, color, price, created_at, updated_at, id)
  VALUES ($1, $2, $3, $4, $5, $5, $6)`;
const update = `UPDATE plain SET name = $1, description = $2, color = $3, price = $4, updated_at = $5
  WHERE id = $6 RETURNING ${columns}`;

async function rowsOf(name: string, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await pool.query({ name, text, values });
  return rows;
}

const app = fastify();

app.get('/items/:id', { schema: schemas.get }, async (request, reply) => {
  const [row] = await rowsOf('by-id', byId, [(request.params as { id: string }).id]);
  if (row === undefined) return reply.callNotFound();
  return present(row);
});

app.get('/items', { schema: schemas.list }, async (request) => {
  const query = request.query as { limit?: string; cursor?: string; page?: string; per_page?: string };
  const limit = Number(query.limit ?? 20);
  if (query.per_page !== undefined) {
    const [page, perPage] = [Number(query.page ?? 1), Number(query.per_page)];
    const [rows, [counted]] = await Promise.all([
      rowsOf('at', at, [perPage, (page - 1) * perPage]),
      // A counter in one row would make all creations wait for each other.
      pool.query({ name: 'count', text: 'SELECT count(*) AS n FROM plain' }).then((result) => result.rows),
    ]);
    return { items: rows.map(present), total: counted.n, page, per_page: perPage };
  }
  return cursorPage(await rowsOf('after', after, [...placeOf(query.cursor), limit + 1]), limit);
});

app.post('/items', { schema: schemas.create }, async (request, reply) => {
  const now = Date.now();
  const id = uuidAt(now);
  const [name, description, color, price] = valuesOf(request.body as Input, now);
  await rowsOf('insert', insert, [name, description, color, price, now, id]);
  reply.code(201).header('location', `/items/${id}`);
  return present({ id, name, description, color, price, created_at: now, updated_at: now });
});

app.put('/items/:id', { schema: schemas.replace }, async (request, reply) => {
  const { id } = request.params as { id: string };
  const [row] = await rowsOf('update', update, [...valuesOf(request.body as Input, Date.now()), id]);
  if (row === undefined) return reply.callNotFound();
  return present(row);
});

await listen(app);
