/**
 * Properties of a field type in a collection.
 * @typedef {object} FieldType
 * @property {string} shown type in TypeScript.
 * @property {string} decorator
 * @property {boolean} sortable
 * @property {boolean} [filter] whether lists can be filtered by it.
 * @property {boolean} [filtered] whether lists are filtered by it even without `:filter`.
 */

/** @type {Readonly<Record<string, FieldType>>} */
export const FIELD_TYPES = {
  string: {
    shown: 'string',
    decorator: `Text({ min: 1, max: 200, trim: true, example: 'Some words' })`,
    sortable: true,
    filter: true,
  },
  text: {
    shown: 'string',
    decorator: `Text({ max: 2000, example: 'Some sentences.' })`,
    sortable: false,
  },
  integer: {
    shown: 'number',
    decorator: 'Integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, example: 3 })',
    sortable: true,
  },
  number: {
    shown: 'number',
    decorator: 'Float({ min: -1e15, max: 1e15, example: 1.5 })',
    sortable: true,
  },
  money: {
    shown: 'number',
    decorator: `Money({ description: "In the service's currency, with at most 2 decimals; kept exactly.", example: 12.5 })`,
    sortable: true,
  },
  boolean: {
    shown: 'boolean',
    decorator: 'Flag({ example: true })',
    sortable: false,
    filter: true,
    filtered: true,
  },
  'date-time': {
    shown: 'string',
    decorator: `DateTime({ description: 'RFC 3339; shown in UTC, with milliseconds.', example: '2026-11-20T09:30:00.000Z' })`,
    sortable: true,
  },
};
