const COLUMNS = 'id, created_at, updated_at, name, description, color, price';
const byPrice = [{ field: 'price', descending: false }];
const TAKE = 20;

/** A position in the middle of a list. */
export interface Middle {
  cursor: string;
  place: Place;
  rows: number;
}

export interface Place {
  key: (string | number | null)[];
  id: string;
}

type Statement = [sql: string, params: unknown[]];

/** A measured read: a request to the service, and the SQL that a developer would write for a plain table. */
export interface Scenario {
  name: string;
  /** The request as the paging library parses it. */
  request: (middle: Middle) => object;
  path: (middle: Middle) => string;
  plain: (middle: Middle) => Statement[];
}

/** Reads a page in offset style after the fraction `at` of the list. */
function offsetScenario(name: string, filter: object, query: string, where: string, at: number): Scenario {
  const page = ({ rows }: Middle) => Math.floor((rows * at) / TAKE) + 1;
  return {
    name,
    request: (middle) => ({
      style: 'offset',
      page: page(middle),
      perPage: TAKE,
      sort: byPrice,
      filter,
    }),
    path: (middle) => `/items?sort=price&per_page=${TAKE}&page=${page(middle)}${query}`,
    plain: (middle) => [
      [`SELECT ${COLUMNS} FROM plain${where} ORDER BY price, id LIMIT ${TAKE} OFFSET ${(page(middle) - 1) * TAKE}`, []],
      [`SELECT count(*) AS n FROM plain${where}`, []],
    ],
  };
}

const cursorScenario: Scenario = {
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

/** Reads the first page in cursor style. For a range, the plain SQL also counts the matching rows. */
function beginning(name: string, descending: boolean, range?: typeof RANGE): Scenario {
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
      ...(range === undefined ? [] : [[`SELECT count(*) AS n FROM plain${where}`, []] satisfies Statement]),
    ],
  };
}

export const scenarios: Scenario[] = [
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

export const afterChanges: Scenario = { ...cursorScenario, name: 'cursor page after 100 000 changes' };
