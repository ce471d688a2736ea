import { randomFillSync } from 'node:crypto';

/** Shared by both baselines: the columns of an item, and its schemas for Fastify's validation and serialization. */
export const columns = 'id, name, description, color, price, created_at, updated_at';

/** @typedef {{ name: string, description?: string | null, color?: string | null, price?: number | null }} Input */
/**
 * @typedef {object} Row
 * @property {string} id
 * @property {string} name
 * @property {string | null} description
 * @property {string | null} color
 * @property {number | null} price cents.
 * @property {number} created_at milliseconds.
 * @property {number} updated_at milliseconds.
 */

const nullable = (/** @type {object} */ type) => ({ ...type, nullable: true });
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

export function present(/** @type {Row} */ row) {
  return {
    ...row,
    price: row.price === null ? null : row.price / 100,
    created_at: new Date(row.created_at).toISOString(),
    updated_at: new Date(row.updated_at).toISOString(),
  };
}

/** @param {Row[]} rows includes one row of the next page, if there is one. @param {number} limit */
export function cursorPage(rows, limit) {
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map(present),
    ...(last !== undefined && rows.length > limit && { next_cursor: cursorOf(last) }),
  };
}

function cursorOf(/** @type {Row} */ { price: cents, id }) {
  return Buffer.from(JSON.stringify([cents, id])).toString('base64url');
}

const START_ID = '00000000-0000-0000-0000-000000000000';

/** @param {string | undefined} cursor @returns {[number, string]} price and id of the last row before the page. */
export function placeOf(cursor) {
  return cursor === undefined ? [-1, START_ID] : JSON.parse(Buffer.from(cursor, 'base64url').toString());
}

/** @param {Input} input @param {number} now milliseconds. @returns {[string, string | null, string | null, number | null, number]} */
export function valuesOf({ name, description = null, color = null, price: given = null }, now) {
  return [name, description, color, given === null ? null : Math.round(given * 100), now];
}

const random = Buffer.alloc(16 * 256);
let used = random.length;

/** Creates a UUIDv7 (RFC 9562 §5.7). Random bits are fetched for 256 ids at a time. */
export function uuidAt(/** @type {number} */ ms) {
  if (used === random.length) {
    randomFillSync(random);
    used = 0;
  }
  const hex = random.toString('hex', used, used + 10);
  used += 16;
  const time = ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
