import { checksOf, judge } from '@items/conformance';
import { createKey } from '../harness/clients.js';
import { describeStartedOnce, service } from '../harness/service.js';
import { wrongDecisions } from './wrong-decisions.js';
import { behind } from './wrong-step-proxy.js';

const decisions = checksOf('full').filter(({ source }) => source === 'decisions');
const named = (names: readonly string[]): string[] =>
  decisions
    .map(({ id }) => id)
    .filter((id) => names.some((name) => id === name || (name.endsWith('.') && id.startsWith(name))));

describeStartedOnce('a service with one wrong decision fails the check of that decision', () => {
  let readOnlyKey: string;
  beforeAll(async () => {
    readOnlyKey = (await createKey({ scopes: ['items:read'] })).key;
  });

  it.each(wrongDecisions.map((one) => [one.what, one] as const))('one that %s', async (_, { fails, make }) => {
    const proxy = await behind(make(), service.baseUrl);
    const ids = named(fails);
    try {
      const { checks } = await judge({
        url: proxy.url,
        profile: 'full',
        headers: [{ name: 'X-API-Key', value: service.apiKey }],
        readOnlyHeaders: [{ name: 'X-API-Key', value: readOnlyKey }],
        only: ids,
      });
      expect(checks.map(({ id, status }) => `${id} ${status}`).sort()).toEqual(ids.map((id) => `${id} failed`).sort());
    } finally {
      await proxy.stop();
    }
  });

  it('there is a wrong service for each check', () => {
    const covered = new Set(wrongDecisions.flatMap(({ fails }) => named(fails)));
    expect(decisions.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });
});
