import { admin, clientWith } from '../harness/clients.js';
import { errorOf, expectStatus, fieldsOf } from '../harness/reading.js';

const refused: readonly [query: string, parameter: string][] = [
  // Unknown parameters
  ['foo=1', 'foo'],
  ['Page=1', 'Page'],
  ['PER_PAGE=1', 'PER_PAGE'],
  ['offset=0', 'offset'],
  ['colour=red', 'colour'],
  ['foo', 'foo'],
  ['foo=', 'foo'],
  ['__proto__=1', '__proto__'],
  ['constructor=1', 'constructor'],
  ['page%20=1', 'page '],
  ['price=1', 'price'],
  ['name=Lamp', 'name'],
  ['id=1', 'id'],
  // Brackets
  ['color[]=red', 'color[]'],
  ['color%5B%5D=red', 'color[]'],
  ['color[0]=red', 'color[0]'],
  ['color[eq]=red', 'color[eq]'],
  ['page[number]=1', 'page[number]'],
  ['sort[]=name', 'sort[]'],
  // Repeated parameters
  ['page=1&page=1', 'page'],
  ['page=1&page=2', 'page'],
  ['per_page=1&per_page=2', 'per_page'],
  ['color=red&color=blue', 'color'],
  ['color=red&c%6Flor=blue', 'color'],
  ['sort=name&sort=price', 'sort'],
  ['limit=1&limit=1', 'limit'],
  // Sorts that do not exist
  ['sort=', 'sort'],
  ['sort=id', 'sort'],
  ['sort=description', 'sort'],
  ['sort=Price', 'sort'],
  ['sort=colour', 'sort'],
  ['sort=price,', 'sort'],
  ['sort=,price', 'sort'],
  ['sort=price,,name', 'sort'],
  ['sort=price%20', 'sort'],
  ['sort=%20price', 'sort'],
  ['sort=price,%20name', 'sort'],
  ['sort=--price', 'sort'],
  ['sort=%2Bprice', 'sort'],
  ['sort=-', 'sort'],
  ['sort=price:desc', 'sort'],
  ['sort=price%20desc', 'sort'],
  ['sort=price;name', 'sort'],
  ["sort=price';DROP%20TABLE%20items;--", 'sort'],
  ['sort=(SELECT%201)', 'sort'],
  ['sort=1', 'sort'],
  ['sort=%22price%22', 'sort'],
  ['sort=items.price', 'sort'],
  ['sort=__proto__', 'sort'],
  ['sort=constructor', 'sort'],
  ['sort=toString', 'sort'],
  ['sort=price%00', 'sort'],
];

const mixed = [
  'page=1&limit=1',
  'per_page=1&limit=1',
  'page=1&cursor=x',
  'per_page=1&cursor=x',
  'page=1&per_page=1&limit=1&cursor=x',
];

describe('§4 Unknown parameter, unknown sort, a parameter given twice, color[]=: 400, naming it', () => {
  it.each(refused)('?%s', async (query, parameter) => {
    const error = errorOf(await admin.get(`/items?${query}`), 400);
    expect(fieldsOf(error)).toEqual([parameter]);
    expect(error.error).toContain(parameter);
  });

  it.each(refused.slice(0, 3))('HEAD too: ?%s', async (query) => {
    expect((await admin.head(`/items?${query}`)).status).toBe(400);
  });

  it('a sort of a thousand keys is no 500', async () => {
    expectStatus(await admin.get(`/items?sort=${'price,'.repeat(1000)}name`), 200, 400);
  });
});

describe('§4 more than 32 combinations of filter values: 400 too_many_values, in every collection', () => {
  const values = (count: number): string[] => Array.from({ length: count }, (_, index) => `value-${String(index)}`);
  const ids = (count: number): string[] =>
    values(count).map((_, index) => `00000000-0000-7000-8000-0000000000${String(index + 10)}`);

  it.each([
    `/items?color=${values(33).join()}`,
    `/items?limit=1&color=${values(33).join()}`,
    `/orders?user_id=${ids(33).join()}`,
    `/orders?status=pending,confirmed,shipped&user_id=${ids(11).join()}`,
  ])('GET %s', async (target) => {
    const error = errorOf(await admin.get(target), 400);
    expect(error).toMatchObject({ code: 'too_many_values', error: expect.stringContaining('32') });
  });

  it.each([
    `/items?color=${values(32).join()}`,
    `/items?color=${[...values(32), ...values(32)].join()}`,
    `/orders?status=pending,confirmed&user_id=${ids(16).join()}`,
    '/users?role=viewer,member,admin&disabled=true,false',
  ])('32 are served, and a repeated value counts once: GET %s', async (target) => {
    expectStatus(await admin.get(target), 200);
  });
});

describe('§4 one request may name at most 32 types of audit events', () => {
  it('33 are 400 too_many_values, and 32 are served', async () => {
    const { details } = errorOf(await admin.get('/audit-events?type=x'), 400);
    const types = details?.[0]?.params?.['values'] as readonly string[];
    expect(types.length).toBeGreaterThan(32);
    const error = errorOf(await admin.get(`/audit-events?type=${types.slice(-33).join()}`), 400);
    expect(error).toMatchObject({ code: 'too_many_values', error: expect.stringContaining('32') });
    expectStatus(await admin.get(`/audit-events?type=${types.slice(-32).join()}`), 200);
  });
});

describe('§4 limit or cursor selects cursor style, otherwise offset style; mixing them is 400', () => {
  it.each(mixed)('?%s', async (query) => {
    errorOf(await admin.get(`/items?${query}`), 400);
  });

  it.each(['0', '-1', '1.5', 'abc', '', '%20', '1e1', '%2B1', '0x1', 'NaN', '%00', '%EF%BC%91'])(
    'limit=%s is 400',
    async (value) => {
      const error = errorOf(await admin.get(`/items?limit=${value}`), 400);
      expect(fieldsOf(error)).toEqual(['limit']);
      expect(error.error).toContain('limit');
    },
  );
});

describe('§4 Other collections: keys sort by created_at, last_used_at', () => {
  it.each(['created_at', '-created_at', 'last_used_at', '-last_used_at', 'created_at,-last_used_at'])(
    'sort=%s',
    async (sort) => {
      const client = await clientWith('keys:manage');
      const answer = await client.get(`/api-keys?sort=${sort}&per_page=2`);
      expectStatus(answer, 200);
      expect(Object.keys(answer.json() as object).sort()).toEqual(['api_keys', 'page', 'per_page', 'total']);
    },
  );

  it.each([
    ['sort=name', 'sort'],
    ['sort=price', 'sort'],
    ['color=red', 'color'],
    ['disabled=true', 'disabled'],
    ['foo=1', 'foo'],
  ])('?%s is 400', async (query, parameter) => {
    expect(fieldsOf(errorOf(await admin.get(`/api-keys?${query}`), 400))).toEqual([parameter]);
  });
});
