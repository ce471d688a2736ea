const COLUMNS = 'id, created_at, updated_at, name, description, color, price';
const byPrice = [{ field: 'price', descending: false }];
const TAKE = 20;

/**
 * A measured read: a request to the service, and the SQL that a developer would write for a plain table.
 * @typedef {{ cursor: string, place: { key: (string | number | null)[], id: string }, rows: number }} Middle
 * @typedef {object} Scenario
 * @property {string} name
 * @property {(middle: Middle) => object} request as parsed by the paging library.
 * @property {(middle: Middle) => string} path
 * @property {(middle: Middle) => [sql: string, params: unknown[]][]} plain
 */

/**
 * @param {string} name
 * @param {object} filter
 * @param {string} query
 * @param {string} where
 * @param {number} at fraction of the list that is skipped.
 * @returns {Scenario}
 */
function offsetScenario(name, filter, query, where, at) {
  const page = (/** @type {Middle} */ { rows }) => Math.floor((rows * at) / TAKE) + 1;
  return {
    name,
    request: (/** @type {Middle} */ middle) => ({
      style: 'offset',
      page: page(middle),
      perPage: TAKE,
      sort: byPrice,
      filter,
    }),
    path: (/** @type {Middle} */ middle) => `/items?sort=price&per_page=${TAKE}&page=${page(middle)}${query}`,
    plain: (/** @type {Middle} */ middle) => [
      [`SELECT ${COLUMNS} FROM plain${where} ORDER BY price, id LIMIT ${TAKE} OFFSET ${(page(middle) - 1) * TAKE}`, []],
      [`SELECT count(*) AS n FROM plain${where}`, []],
    ],
  };
}

/** @type {Scenario} */
const cursorScenario = {
  name: 'cursor page in the middle',
  request: ({ cursor }) => ({ style: 'cursor', limit: TAKE, sort: byPrice, filter: {}, cursor }),
  path: ({ cursor }) => `/items?sort=price&limit=${TAKE}&cursor=${cursor}`,
  plain: ({ place }) => [
    [
      `SELECT ${COLUMNS} FROM plain WHERE (price, id) > ($1, $2) ORDER BY price, id LIMIT ${TAKE + 1}`,
      [place.key[0], place.id],
    ],
  ],
};

/** Range of prices in cents that contains a fifth of all rows. */
const RANGE = { field: 'price', min: 400_000, max: 600_000 };

/**
 * The first page in cursor style. The plain SQL for a range also counts its rows.
 * @param {string} name @param {boolean} descending @param {typeof RANGE} [range]
 * @returns {Scenario}
 */
function beginning(name, descending, range) {
  const sort = [{ field: 'price', descending }];
  const where = range === undefined ? '' : ` WHERE price BETWEEN ${range.min} AND ${range.max}`;
  const query = range === undefined ? '' : `&price_min=${range.min / 100}&price_max=${range.max / 100}`;
  const order = `price${descending ? ' DESC' : ''}, id`;
  return {
    name,
    request: () => ({ style: 'cursor', limit: TAKE, sort, filter: {}, ...(range && { range }) }),
    path: () => `/items?sort=${descending ? '-' : ''}price&limit=${TAKE}${query}`,
    plain: () => [
      [`SELECT ${COLUMNS} FROM plain${where} ORDER BY ${order} LIMIT ${TAKE + 1}`, []],
      ...(range === undefined
        ? []
        : [/** @type {[string, unknown[]]} */ ([`SELECT count(*) AS n FROM plain${where}`, []])]),
    ],
  };
}

/** @type {Scenario[]} */
export const scenarios = [
  offsetScenario('first page with total', {}, '', '', 0),
  offsetScenario('filtered and sorted page with total', { color: ['red'] }, '&color=red', " WHERE color = 'red'", 0),
  cursorScenario,
  beginning('first page in cursor style', false),
  beginning('the same of a range', false, RANGE),
  beginning('first page in cursor style, descending', true),
  beginning('the same of a range, descending', true, RANGE),
  offsetScenario('offset page at 50 %', {}, '', '', 0.5),
  offsetScenario('offset page at 99 %', {}, '', '', 0.99),
];

/** @type {Scenario} */
export const afterChanges = { ...cursorScenario, name: 'cursor page after 100 000 changes' };
