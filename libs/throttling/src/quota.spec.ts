import { Quota, type QuotaHolder } from './quota.js';
import { quotaOptions } from './quota-options.js';

const quotas = { credential: { requests: 2, seconds: 60 }, address: { requests: 1, seconds: 30 }, link: null };
const options = quotaOptions(quotas);

class Counted {
  private readonly quota = new Quota(options, quotaOptions(quotas).storage);

  /** What an answer says, and whether its request was one too many. */
  async ask(holder: QuotaHolder | null, ip = '203.0.113.7'): Promise<[exceeded: boolean, headers: object]> {
    const headers: Record<string, string | number> = {};
    const answer = { header: (name: string, value: string | number) => (headers[name] = value) };
    const { exceeded } = await this.quota.count({ ip }, answer, holder);
    return [exceeded, headers];
  }
}

describe('A quota (SPEC §8)', () => {
  const key: QuotaHolder = { credentialId: 'key', rateLimit: null };

  it('is counted for the credential, wherever it comes from, and said in every answer', async () => {
    const counted = new Counted();
    expect(await counted.ask(key)).toEqual([
      false,
      {
        'x-ratelimit-limit': 2,
        'x-ratelimit-remaining': 1,
        'x-ratelimit-reset': 60,
        'ratelimit-policy': '"default";q=2;w=60',
        ratelimit: '"default";r=1;t=60',
      },
    ]);
    expect(await counted.ask(key, '203.0.113.8')).toMatchObject([false, { 'x-ratelimit-remaining': 0 }]);
    expect(await counted.ask(key)).toMatchObject([true, { 'x-ratelimit-remaining': 0 }]);
  });

  it('is the one of the credential, where it has one of its own', async () => {
    const own = { ...key, rateLimit: { requests: 7, seconds: 5 } };
    expect(await new Counted().ask(own)).toMatchObject([false, { ratelimit: '"default";r=6;t=5' }]);
  });

  it('is counted for the address where there is no credential; an IPv6 network of one customer is one', async () => {
    const counted = new Counted();
    expect(await counted.ask(null, '2001:db8:1:1::1')).toMatchObject([false, { ratelimit: '"anonymous";r=0;t=30' }]);
    expect(await counted.ask(null, '2001:db8:1:1:ffff::2')).toMatchObject([true, {}]);
    expect(await counted.ask(null, '2001:db8:1:2::1')).toMatchObject([false, {}]);
  });
});
