import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Profile } from './checks/all-checks.js';
import { judge, type Options } from './run.js';
import { inGroups } from './testing/in-groups.testing.js';
import { everything, type Handler, type Item, serve } from './testing/right-service.testing.js';
import { httpService } from './testing/shapes/http-service.testing.js';
import { hasPython, pythonFaults, pythonNaming, startPython } from './testing/shapes/python-service.testing.js';
import { type Shape, shaped, shapes } from './testing/shapes/shapes.testing.js';
import { wrongHttp } from './testing/wrong/http.testing.js';
import { wrongServices } from './testing/wrong/wrong-services.testing.js';

/** A service with at most one fault. */
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

/** These faults do not depend on the names of the service. */
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
  { name: 'one with the rules of HTTP', run: () => failed(httpService(new Map()), { profile: 'http' }) },
  ...(hasPython ? [{ name: "one in Python's standard library", run: () => inPython('') }] : []),
];

async function all(cases: readonly Case[]): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  await inGroups(cases, async (one) => void found.set(one.name, await one.run()));
  return found;
}

describe('findings on services with other names, in the profile http, and in Python', () => {
  it('do not exist for right services', async () => {
    expect([...(await all(right))].filter(([, ids]) => ids.length > 0)).toEqual([]);
  }, 300_000);

  it('contain every fault, in one sentence or two, and are counted in the README', async () => {
    const found = await all([...byHttp, ...shapes.flatMap(inShape), ...python]);
    const missed = [...found].filter(([, ids]) => ids.length === 0).map(([name]) => name);
    const cascades = [...found].filter(([, ids]) => ids.length > 2);
    expect({ missed, cascades }).toEqual({ missed: [], cascades: [] });
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    if (hasPython) expect(readme).toContain(`${String(found.size)} more`);
  }, 900_000);
});
