import { checksOf } from './checks/all-checks.js';
import { judge, type Options } from './run.js';
import {
  type Answer,
  everything,
  type Item,
  type Offers,
  type Request,
  rightService,
  serve,
} from './testing/right-service.testing.js';

interface Variation extends Offers {
  /** Path of the service below its host. */
  readonly prefix?: string;
  readonly header?: string;
  readonly also?: (answer: Answer) => Answer;
  readonly before?: (request: Request) => Request;
}

async function judged(offers: Variation, options: Partial<Options> = {}) {
  const { prefix = '', also = (answer) => answer, before = (request) => request, header = 'X-API-Key' } = offers;
  const items = new Map<string, Item>();
  const right = rightService(offers, items);
  const service = await serve((request) => also(right(before({ ...request, path: request.path.replace(prefix, '') }))));
  const credential = (value: string | undefined) => (value === undefined ? [] : [{ name: header, value }]);
  try {
    const { checks, notes } = await judge({
      url: `${service.url}${prefix}/`,
      headers: credential(offers.key),
      readOnlyHeaders: credential(offers.readOnlyKey),
      ...options,
    });
    const ids = (status: string) => checks.filter((check) => check.status === status).map(({ id }) => id);
    return { failed: ids('failed'), notApplicable: ids('not_applicable'), checks, notes, left: items.size };
  } finally {
    await service.stop();
  }
}

const bare: Offers = { styles: ['offset'], fields: ['name'] };

describe('the profile seed', () => {
  it('passes a service that follows only the seed specification, and leaves no items', async () => {
    const { failed, notApplicable, checks, left } = await judged(everything);
    expect({ failed, left }).toEqual({ failed: [], left: 0 });
    expect(notApplicable.every((id) => id.startsWith('8.') || id === '2.orders.nested')).toBe(true);
    expect(checks.length - notApplicable.length).toBeGreaterThanOrEqual(30);
  });

  it.each<[string, Variation]>([
    ['has pages by number only, no field but name, and no credentials', bare],
    ['has cursors only', { ...everything, styles: ['cursor'] }],
    ['has cursors only, and no field but name', { styles: ['cursor'], fields: ['name'] }],
    ['has a price and no colour', { ...everything, fields: ['name', 'price'] }],
    ['has a quota that the run exceeds', { ...everything, quota: 200 }],
    ['is below a path', { ...bare, prefix: '/api/v1' }],
    ['has longer ids', { ...bare, idFrom: (count) => `itm_${String(count).padStart(20, '0')}` }],
    [
      'has numbers as ids',
      {
        ...bare,
        also: (answer) => JSON.parse(JSON.stringify(answer).replaceAll(/"id":"(\d+)"/g, '"id":$1')) as Answer,
      },
    ],
    [
      'refuses an impossible id as malformed',
      {
        ...bare,
        malformedId: /\D/,
      },
    ],
    ['has pages of two items at most', { ...everything, largestPage: 2 }],
    [
      'returns more than the seed specification requires',
      {
        ...bare,
        also: ({ body, ...answer }) => ({
          ...answer,
          ...(body === undefined ? {} : { body: { ...(body as object), code: 'more', links: [] } }),
          headers: { 'X-Request-Id': String(Math.random()), 'Set-Cookie': 'seen=1' },
        }),
      },
    ],
    [
      'creates without showing the new item',
      { ...bare, also: (answer) => (answer.status === 201 ? { status: 201 } : answer) },
    ],
    [
      'accepts bearer tokens',
      {
        ...everything,
        header: 'Authorization',
        key: 'Bearer writer.token',
        readOnlyKey: 'Bearer reader.token',
        before: (request) => ({ ...request, headers: { 'x-api-key': request.headers['authorization'] } }),
      },
    ],
    [
      'accepts only two colours',
      {
        ...bare,
        fields: ['name', 'color'],
        before: (request) => ({ ...request, raw: request.raw.replace(/"color":"c[^"]*"/, '"other":""') }),
      },
    ],
  ])(
    'passes a service that %s',
    async (_, offers) => {
      const { failed, left } = await judged(offers);
      expect({ failed, left }).toEqual({ failed: [], left: 0 });
    },
    30_000,
  );

  it('reports that no credential was required, and checks nothing of §5', async () => {
    const { checks, notes } = await judged(bare);
    expect(notes).toContain('No credential was given, and the service requires none: §5 could not be judged.');
    expect(checks.filter(({ section, status }) => section === '§5' && status !== 'not_applicable')).toEqual([]);
  });

  it('does not change items of others', async () => {
    const items = new Map<string, Item>([['a', { id: 'a', name: 'somebody else' }]]);
    const service = await serve(rightService(everything, items));
    await judge({ url: service.url, headers: [{ name: 'X-API-Key', value: everything.key ?? '' }] });
    await service.stop();
    expect([...items.values()]).toEqual([{ id: 'a', name: 'somebody else' }]);
  });

  it('treats a list with a wrong total as paged, because another sentence judges the total', async () => {
    const also = ({ body, ...answer }: Answer): Answer => {
      const { items } = (body ?? {}) as { items?: unknown[] };
      return { ...answer, body: items === undefined ? body : { ...(body as object), total: items.length } };
    };
    const { checks } = await judged({ ...everything, styles: ['offset'], also }, { only: ['8.paging.default'] });
    expect(checks).toMatchObject([{ status: 'passed' }]);
  });

  it('judges no total while others write', async () => {
    const items = new Map<string, Item>();
    const right = rightService(everything, items);
    const service = await serve((request) => {
      if (request.method === 'GET') items.set(`other-${String(items.size)}`, { id: String(items.size), name: 'other' });
      return right(request);
    });
    const headers = [{ name: 'X-API-Key', value: everything.key ?? '' }];
    const { checks } = await judge({ url: service.url, headers, only: ['4.offset.total'] });
    await service.stop();
    expect(checks).toMatchObject([{ status: 'not_applicable', reason: 'others write to it meanwhile' }]);
  });

  it('runs only the checks that --only names, and none that --skip names', async () => {
    const { checks } = await judged(bare, { only: ['§4'], skip: ['4.cursor', '4.offset.total'] });
    expect(checks.length).toBeGreaterThan(10);
    expect(checks.filter(({ id }) => !id.startsWith('4.') && id !== '4.offset.total').map(({ id }) => id)).toEqual([]);
    expect(checks.filter(({ id }) => id.startsWith('4.cursor'))).toEqual([]);
  });

  it('has a unique sentence and id for each check, all from the seed specification', () => {
    const checks = checksOf('seed');
    expect(new Set(checks.map(({ id }) => id)).size).toBe(checks.length);
    expect(new Set(checks.map(({ sentence }) => sentence)).size).toBe(checks.length);
    expect(new Set(checks.map(({ source }) => source))).toEqual(new Set(['specification']));
  });

  it('reports how many rows a walk has skipped and doubled', async () => {
    const { wrongServices } = await import('./testing/wrong/wrong-services.testing.js');
    const items = new Map<string, Item>();
    const right = rightService(everything, items);
    const step = wrongServices.find(({ what }) => what === 'counts the rows that were listed')?.make();
    const service = await serve((request) => step?.(request, right, items) ?? right(request));
    const headers = [{ name: 'X-API-Key', value: everything.key ?? '' }];
    const { checks } = await judge({ url: service.url, headers, only: ['4.cursor.no-skips.deletes'] });
    await service.stop();
    expect(checks[0]?.failure?.came).toMatch(
      /^[1-9] skipped, 0 doubled, of [1-9] rows on \d pages in the default order$/,
    );
  });
});
