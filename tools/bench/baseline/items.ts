import { randomFillSync } from 'node:crypto';

import type { FastifyInstance } from 'fastify';

/** Shared by both baselines: the columns of an item, and its schemas for Fastify's validation and serialization. */
export const columns = 'id, name, description, color, price, created_at, updated_at';

export interface Input {
  name: string;
  description?: string | null;
  color?: string | null;
  price?: number | null;
}
export interface Row {
  id: string;
  name: string;
  description: string | null;
  color: string | null;
  /** Cents. */
  price: number | null;
  /** Milliseconds. */
  created_at: number;
  /** Milliseconds. */
  updated_at: number;
}

const nullable = (type: object) => ({ ...type, nullable: true });
const price = { type: 'number', minimum: 0, maximum: 999999999.99 };

const input = {
  type: 'object',
  required: ['name'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 200 },
    description: nullable({ type: 'string', maxLength: 2000 }),
    color: nullable({ type: 'string', minLength: 1, maxLength: 30 }),
    price: nullable(price),
  },
};

export const item = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    name: { type: 'string' },
    description: nullable({ type: 'string' }),
    color: nullable({ type: 'string' }),
    price: nullable({ type: 'number' }),
    created_at: { type: 'string' },
    updated_at: { type: 'string' },
  },
};

export const schemas = {
  get: { response: { 200: item } },
  create: { body: input, response: { 201: item } },
  replace: { body: input, response: { 200: item } },
  list: {
    response: {
      200: {
        type: 'object',
        properties: {
          items: { type: 'array', items: item },
          total: { type: 'integer' },
          page: { type: 'integer' },
          per_page: { type: 'integer' },
          next_cursor: { type: 'string' },
        },
      },
    },
  },
};

export function present(row: Row) {
  return {
    ...row,
    price: row.price === null ? null : row.price / 100,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** Formats a page. `rows` contains one row more than the page if a next page exists. */
export function cursorPage(rows: Row[], limit: number) {
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(present),
    ...(last !== undefined && rows.length > limit && { next_cursor: cursorOf(last) }),
  };
}

function cursorOf({ price: cents, id }: Row) {
  return Buffer.from(JSON.stringify([cents, id])).toString('base64url');
}

const START_ID = '00000000-0000-0000-0000-000000000000';

/** Reads price and id of the last row before the page. */
export function placeOf(cursor: string | undefined): [number, string] {
  return cursor === undefined ? [-1, START_ID] : JSON.parse(Buffer.from(cursor, 'base64url').toString());
}

export function valuesOf(input: Input, now: number) {
  const { name, description = null, color = null, price: given = null } = input;
  return [name, description, color, given === null ? null : Math.round(given * 100), now] as const;
}

const random = Buffer.alloc(16 * 256);
let used = random.length;

/** Creates a UUIDv7 (RFC 9562 §5.7). Random bits are fetched for 256 ids at a time. */
export function uuidAt(ms: number) {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const hex = random.toString('hex', used, used + 10);
  used += 16;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}

/** Listens, and sends the address to the parent process. */
export async function listen(app: FastifyInstance) {
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  process.send?.({ address });
}
