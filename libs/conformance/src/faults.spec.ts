import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Profile } from './checks/all-checks.js';
import { judge, type Options } from './run.js';
import { everything, type Handler, type Item, rightService, serve } from './testing/right-service.testing.js';
import { httpService } from './testing/shapes/http-service.testing.js';
import { hasPython, pythonFaults, pythonNaming, startPython } from './testing/shapes/python-service.testing.js';
import { type Shape, shaped, shapes } from './testing/shapes/shapes.testing.js';
import { wrongHttp } from './testing/wrong/http.testing.js';
import { wrongServices } from './testing/wrong/wrong-services.testing.js';

/** A service, wrong in one way or in none. */
interface Case {
  readonly name: string;
  readonly run: () => Promise<string[]>;
}

const header = (value = '') => [{ name: 'X-API-Key', value }];

async function failed(handler: Handler, options: Partial<Options>): Promise<string[]> {
  const service = await serve(handler);
  try {
    const offers = { headers: header(everything.key), readOnlyHeaders: header(everything.readOnlyKey) };
    const { checks } = await judge({ ...offers, sleep: async () => undefined, ...options, url: service.url });
    return checks.filter(({ status }) => status === 'failed').map(({ id }) => id);
  } finally {
    await service.stop();
  }
}

/** On the specification's own words. Those that have a quota wait for it, and are left to the other test. */
const specified: readonly Case[] = wrongServices
  .filter(({ offers }) => offers?.quota === undefined)
  .map(({ fails, what, offers: own, make }) => ({
    name: `${fails}: ${what}`,
    run: () => {
      const items = new Map<string, Item>();
      const offers = { ...everything, ...own };
      const [right, step] = [rightService(offers, items), make()];
      const given = { headers: header(offers.key), readOnlyHeaders: header(offers.readOnlyKey) };
      return failed((request) => step(request, right, items), given);
    },
  }));

/** Wrong steps that mean the same whatever a service calls things. */
const general =
  /^4\.(offset\.(page|per-page|each-once)|filter|sort|create\.status|delete|replace|cursor\.(position|each-once|no))/;

function inShape(shape: Shape): Case[] {
  const style = shape.offers.styles.includes('offset') ? /cursor/ : /offset/;
  return wrongServices
    .filter(({ fails, offers }) => general.test(fails) && !style.test(fails) && offers === undefined)
    .map(({ fails, what, make }) => ({
      name: `${shape.name}: ${fails}: ${what}`,
      run: () => failed(shaped(shape, new Map<string, Item>(), make()), { naming: shape.naming }),
    }));
}

const byHttp: readonly Case[] = wrongHttp.map(({ fails, what, step }) => ({
  name: `${fails}: ${what}`,
  run: () => {
    const items = new Map<string, Item>();
    const right = httpService(items);
    return failed((request) => step(request, right, items), { profile: 'http' });
  },
}));

async function inPython(fault: string, profile: Profile = 'seed'): Promise<string[]> {
  const { url, stop } = await startPython(fault);
  try {
    const { checks } = await judge({ url, naming: pythonNaming, profile, sleep: async () => undefined });
    return checks.filter(({ status }) => status === 'failed').map(({ id }) => id);
  } finally {
    stop();
  }
}

const python: readonly Case[] = hasPython
  ? pythonFaults.map((fault) => ({ name: `Python: ${fault}`, run: () => inPython(fault) }))
  : [];

const right: readonly Case[] = [
  { name: 'the specification itself', run: () => failed(rightService(everything, new Map()), {}) },
  { name: 'one that HTTP is right about', run: () => failed(httpService(new Map()), { profile: 'http' }) },
  ...shapes.map((shape) => ({
    name: shape.name,
    run: () => failed(shaped(shape, new Map()), { naming: shape.naming }),
  })),
  ...(hasPython ? [{ name: "one by Python's standard library", run: () => inPython('') }] : []),
];

/** Six at a time: most of a run is waiting. */
async function all(cases: readonly Case[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  const queue = [...cases];
  const worker = async (): Promise<void> => {
    for (let one = queue.shift(); one; one = queue.shift()) found.set(one.name, await one.run());
  };
  await Promise.all(Array.from({ length: 6 }, worker));
  return found;
}

describe('what the judge finds', () => {
  it('is nothing on right services of different shapes', async () => {
    expect([...(await all(right))].filter(([, ids]) => ids.length > 0)).toEqual([]);
  }, 300_000);

  it('is at least nine of ten faults, each told by one sentence or two, as the README says', async () => {
    const wrong = [...specified, ...byHttp, ...shapes.flatMap(inShape), ...python];
    const found = await all(wrong);
    const missed = [...found].filter(([, ids]) => ids.length === 0).map(([name]) => name);
    const cascades = [...found].filter(([, ids]) => ids.length > 2);
    expect({ missed, cascades }).toEqual({ missed: [], cascades: [] });
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    if (hasPython) expect(readme).toContain(`finds ${String(found.size - missed.length)} of ${String(found.size)}`);
    expect(found.size).toBeGreaterThanOrEqual(60);
  }, 900_000);
});
