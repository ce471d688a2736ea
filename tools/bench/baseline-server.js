import { Sqlite } from '@items/sqlite-driver';
import fastify from 'fastify';

/**
 * The baseline: bare Fastify with prepared statements on the service's own database, and nothing else: no credential,
 * no quota, no versions, no log. What it answers has the same fields.
 */
const [file = ''] = process.argv.slice(2);
const database = new Sqlite(file, { readonly: true });
const columns = 'id, name, description, color, price, created_at, updated_at';

/** @typedef {{ id: string, price: number | null, created_at: number, updated_at: number }} Row what of a row is looked at. */

/** @type {import('better-sqlite3').Statement<[string], Row>} */
const byId = database.prepare(`SELECT ${columns} FROM items WHERE id = ?`);
/** @type {import('better-sqlite3').Statement<[number, string, number], Row>} */
const after = database.prepare(`SELECT ${columns} FROM items WHERE (price, id) > (?, ?) ORDER BY price, id LIMIT ?`);

const nullable = (/** @type {string} */ type) => ({ type: [type, 'null'] });
const item = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    description: nullable('string'),
    color: nullable('string'),
    price: nullable('number'),
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  },
};
const page = { type: 'object', properties: { items: { type: 'array', items: item }, next_cursor: { type: 'string' } } };

function present(/** @type {Row} */ row) {
  return {
    ...row,
    price: row.price === null ? null : row.price / 100,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

const app = fastify();

app.get('/items/:id', { schema: { response: { 200: item } } }, (request, reply) => {
  const { id } = /** @type {{ id: string }} */ (request.params);
  const row = byId.get(id);
  if (row === undefined) return reply.callNotFound();
  return present(row);
});

app.get('/items', { schema: { response: { 200: page } } }, (request) => {
  const query = /** @type {{ limit?: string, cursor?: string }} */ (request.query);
  const limit = Number(query.limit ?? 20);
  const { cursor } = query;
  const [price, id] = cursor === undefined ? [-1, ''] : JSON.parse(Buffer.from(cursor, 'base64url').toString());
  const rows = after.all(price, id, limit + 1);
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(present),
    ...(last !== undefined &&
      rows.length > limit && { next_cursor: Buffer.from(JSON.stringify([last.price, last.id])).toString('base64url') }),
  };
});

const address = await app.listen({ port: 0, host: '127.0.0.1' });
process.send?.({ address });
