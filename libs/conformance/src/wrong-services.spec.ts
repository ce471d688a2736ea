import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checksOf } from './checks/all-checks.js';
import { type Judgement } from './judgement.js';
import { textReport } from './report/text.js';
import { judge } from './run.js';
import { inGroups } from './testing/in-groups.testing.js';
import { everything, type Item, rightService, serve } from './testing/right-service.testing.js';
import { type WrongService } from './testing/wrong/wrong-service.testing.js';
import { wrongServices } from './testing/wrong/wrong-services.testing.js';

/** As in `npm run check`. This library does not depend on `@items/testing`. */
const isLongForm = process.env['LONG_FORM'] !== undefined;

async function judged({ make, offers: own, naming = {}, fails }: WrongService, isAlone = false): Promise<Judgement> {
  const items = new Map<string, Item>();
  const offers = { ...everything, ...own };
  const hasQuota = offers.quota !== undefined;
  const right = rightService(offers, items);
  const step = make();
  const service = await serve((request) => step(request, right, items));
  try {
    return await judge({
      url: service.url,
      naming,
      headers: [{ name: 'X-API-Key', value: offers.key ?? '' }],
      readOnlyHeaders: [{ name: 'X-API-Key', value: offers.readOnlyKey ?? '' }],
      // Only a quota needs real waiting: no wrong service here depends on the time.
      ...(hasQuota ? {} : { sleep: async () => undefined }),
      ...((hasQuota || isAlone) && { only: [fails] }),
    });
  } finally {
    await service.stop();
  }
}

const failedOf = (judgement: Judgement | undefined): string[] =>
  judgement?.checks.filter(({ status }) => status === 'failed').map((check) => check.id) ?? [];

/** Runs the named check alone; then all checks, in the long form or if the failure shows only in other checks. */
async function found(one: WrongService): Promise<Judgement> {
  const alone = isLongForm ? undefined : await judged(one, true);
  return alone !== undefined && failedOf(alone).includes(one.fails) ? alone : judged(one);
}

describe('a service that does one thing wrong', () => {
  const judgements = new Map<WrongService, Judgement>();
  beforeAll(() => inGroups(wrongServices, async (one) => void judgements.set(one, await found(one))), 900_000);

  it.each(wrongServices.map((one) => [one.fails, one.what, one] as const))(
    isLongForm ? 'fails %s, and at most one more sentence, if it %s' : 'fails %s if it %s',
    (id, _, one) => {
      const judgement = judgements.get(one);
      const failed = failedOf(judgement);
      expect(failed).toContain(id);
      expect(failed.length).toBeLessThanOrEqual(2);
      expect(judgement && textReport(judgement)).toContain(`FAILED ${id}`);
    },
  );

  it('exists for each sentence that can fail', () => {
    const covered = new Set(wrongServices.map(({ fails }) => fails));
    const open = checksOf('seed').filter(({ id, level }) => level !== 'may' && !covered.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });

  it('is counted in the README', () => {
    const readme = readFileSync(join(__dirname, '../README.md'), 'utf8');
    const count = String(wrongServices.length);
    expect(wrongServices.length).toBeGreaterThanOrEqual(90);
    expect(readme).toContain(`${count} of ${count} services`);
  });
});
