import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Judgement } from './judgement.js';
import { textReport } from './report/text.js';
import { judge } from './run.js';
import { inGroups } from './testing/in-groups.testing.js';
import { everything, type Item, type Request, serve } from './testing/right-service.testing.js';
import { type RightService, rightServices } from './testing/right-services.testing.js';
import { firstRows } from './testing/shapes/shapes.testing.js';

interface Judged {
  readonly judgement: Judgement;
  readonly requests: readonly Request[];
  readonly left: number;
}

async function judged({ make, naming = {} }: RightService): Promise<Judged> {
  const items = new Map<string, Item>();
  const handler = make(items);
  const requests: Request[] = [];
  const service = await serve((request) => {
    requests.push(request);
    return handler(request);
  });
  const header = (value = '') => [{ name: 'X-API-Key', value }];
  try {
    const judgement = await judge({
      ...{ url: service.url, naming, sleep: async () => undefined },
      ...{ headers: header(everything.key), readOnlyHeaders: header(everything.readOnlyKey) },
    });
    return { judgement, requests, left: items.size };
  } finally {
    await service.stop();
  }
}

describe('a right service', () => {
  const found = new Map<RightService, Judged>();
  beforeAll(() => inGroups(rightServices, async (one) => void found.set(one, await judged(one))), 900_000);

  it.each(rightServices.map((one) => [one.name, one] as const))('has no finding: %s', (_, one) => {
    const { judgement, left } = found.get(one) ?? {};
    const failures = judgement?.checks.flatMap(({ id, failure }) => (failure ? [{ id, failure }] : []));
    expect({ failures, left }).toEqual({ failures: [], left: 0 });
  });

  it.each(rightServices.map((one) => [one.name, one] as const))('has its rows judged: %s', (name, one) => {
    const [first = ''] = textReport(found.get(one)?.judgement as Judgement).split('\n');
    expect(first).toMatch(
      name === firstRows.name ? 'Paging: not judged' : /^Paging: (9 of 9 rows in \d+ walks|offset only)$/,
    );
  });

  it.each(rightServices.map((one) => [one.name, one] as const))(
    'gets at most nine inserts during a walk, and walks of at most 400 requests: %s',
    (_, one) => {
      const { inserts, pages } = longestWalk(found.get(one)?.requests ?? []);
      expect(inserts).toBeLessThanOrEqual(9);
      expect(pages).toBeLessThanOrEqual(400);
    },
  );

  it('is counted in the README', () => {
    expect(rightServices.length).toBeGreaterThanOrEqual(10);
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    expect(readme).toContain(`${String(rightServices.length)} right services`);
  });
});

/** A walk begins with a list request without a cursor, and continues with each cursor. */
function longestWalk(requests: readonly Request[]): { inserts: number; pages: number } {
  let [inserts, pages, mostInserts, mostPages] = [0, 0, 0, 0];
  let sinceLastPage = 0;
  for (const { method, query } of requests) {
    if (method === 'POST') sinceLastPage += 1;
    if (method !== 'GET' || (!query.has('limit') && !query.has('cursor') && !query.has('after'))) continue;
    const goesOn = query.has('cursor') || query.has('after');
    inserts = goesOn ? inserts + sinceLastPage : 0;
    pages = goesOn ? pages + 1 : 1;
    sinceLastPage = 0;
    mostInserts = Math.max(mostInserts, inserts);
    mostPages = Math.max(mostPages, pages);
  }
  return { inserts: mostInserts, pages: mostPages };
}
