/**
 * What a type of field is in each of the files that mention it.
 * @typedef {object} FieldType
 * @property {string} shown in the contract.
 * @property {string} rule sentence of the contract.
 * @property {string} decorator of the DTO.
 * @property {'text' | 'int' | 'float' | 'smallint'} sql
 * @property {boolean} sortable
 * @property {boolean} [filter] whether lists may be filtered by it.
 * @property {boolean} [filtered] also where it is not asked for.
 */

/** @satisfies {Partial<FieldType>} */
const plainText = /** @type {const} */ ({ shown: 'string', sql: 'text' });
/** @satisfies {Partial<FieldType>} */
const plainNumber = /** @type {const} */ ({ shown: 'number', sortable: true });

/** @type {Readonly<Record<string, FieldType>>} */
export const FIELD_TYPES = {
  string: {
    ...plainText,
    rule: '1–200 code points after trimming.',
    decorator: `Text({ min: 1, max: 200, trim: true, example: 'Some words' })`,
    sortable: true,
    filter: true,
  },
  text: {
    ...plainText,
    rule: 'At most 2000 code points.',
    decorator: `Text({ max: 2000, example: 'Some sentences.' })`,
    sortable: false,
  },
  integer: {
    ...plainNumber,
    rule: 'A whole number: −(2^53 − 1) – 2^53 − 1.',
    decorator: 'Integer({ min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER, example: 3 })',
    sql: 'int',
  },
  number: {
    ...plainNumber,
    rule: '−10^15 – 10^15, kept as the nearest IEEE 754 double.',
    decorator: 'Float({ min: -1e15, max: 1e15, example: 1.5 })',
    sql: 'float',
  },
  money: {
    ...plainNumber,
    rule: "0 – 999 999 999.99 in the service's currency, at most two decimals.",
    decorator: `Money({ description: "In the service's currency, with at most 2 decimals; kept exactly.", example: 12.5 })`,
    sql: 'int',
  },
  boolean: {
    shown: 'boolean',
    rule: '',
    decorator: 'Flag({ example: true })',
    sql: 'smallint',
    sortable: false,
    filter: true,
    filtered: true,
  },
  'date-time': {
    shown: 'string',
    rule: 'RFC 3339; shown in UTC, with milliseconds.',
    decorator: `DateTime({ description: 'RFC 3339; shown in UTC, with milliseconds.', example: '2026-11-20T09:30:00.000Z' })`,
    sql: 'int',
    sortable: true,
  },
};
