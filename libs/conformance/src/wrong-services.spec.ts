import { checksOf } from './checks/all-checks.js';
import { textReport } from './report/text.js';
import { type Judgement } from './judgement.js';
import { judge } from './run.js';
import { everything, type Item, rightService, serve } from './testing/right-service.testing.js';
import type { WrongService } from './testing/wrong/wrong-service.testing.js';
import { wrongServices } from './testing/wrong/wrong-services.testing.js';

async function judged({ fails, make, offers: own }: WrongService): Promise<Judgement> {
  const items = new Map<string, Item>();
  const offers = { ...everything, ...own };
  const right = rightService(offers, items);
  const step = make();
  const service = await serve((request) => step(request, right, items));
  try {
    return await judge({
      url: service.url,
      headers: [{ name: 'X-API-Key', value: offers.key ?? '' }],
      readOnlyHeaders: [{ name: 'X-API-Key', value: offers.readOnlyKey ?? '' }],
      only: [fails],
      // Only a quota is worth waiting for: no wrong service here depends on the time.
      ...(offers.quota === undefined ? { sleep: async () => undefined } : {}),
    });
  } finally {
    await service.stop();
  }
}

describe('a service that does one thing wrong gets the sentence that says so', () => {
  it.each(wrongServices.map((one) => [one.fails, one.what, one] as const))(
    '%s fails one that %s',
    async (id, _, one) => {
      const judgement = await judged(one);
      const failed = judgement.checks.filter(({ status }) => status === 'failed').map((check) => check.id);
      expect(failed).toContain(id);
      expect(textReport(judgement)).toContain(`FAILED ${id}`);
    },
  );

  it('there is such a service for each sentence that can fail', () => {
    const covered = new Set(wrongServices.map(({ fails }) => fails));
    const open = checksOf('seed').filter(({ id, level }) => level !== 'may' && !covered.has(id));
    expect(open.map(({ id }) => id)).toEqual([]);
  });
});
