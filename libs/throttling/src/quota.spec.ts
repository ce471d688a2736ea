import { Quota, type QuotaHolder } from './quota.js';
import { quotaOptions } from './quota-options.js';

const quotas = { credential: { requests: 2, seconds: 60 }, address: { requests: 1, seconds: 30 }, link: null };
const options = quotaOptions(quotas);

class Counted {
  private readonly quota = new Quota(options, quotaOptions(quotas).storage);

  /** Returns the headers of a response, and whether its request exceeded the quota. */
  async ask(holder: QuotaHolder | null, ip = '203.0.113.7'): Promise<[exceeded: boolean, headers: object]> {
    const headers: Record<string, string | number> = {};
    const answer = { header: (name: string, value: string | number) => (headers[name] = value) };
    const { exceeded } = await this.quota.count({ ip }, answer, holder);
    return [exceeded, headers];
  }

  async undo(holder: QuotaHolder): Promise<void> {
    await this.quota.undo(holder);
  }
}

describe('A quota (SPEC §8)', () => {
  const key: QuotaHolder = { credentialId: 'key', rateLimit: null };

  it('is counted for the credential, from any address, and stated in every response', async () => {
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

  it("is the credential's own quota, if it has one", async () => {
    const own = { ...key, rateLimit: { requests: 7, seconds: 5 } };
    expect(await new Counted().ask(own)).toMatchObject([false, { ratelimit: '"default";r=6;t=5' }]);
  });

  describe('that several credentials share', () => {
    const all = { requests: 3, seconds: 90 };
    const keyOf = (id: string): QuotaHolder => ({
      credentialId: id,
      rateLimit: null,
      shared: { id: 'keys', policy: 'keys', rateLimit: all },
    });

    it('bounds them together, and the headers describe the quota that is nearer to its end', async () => {
      const counted = new Counted();
      expect(await counted.ask(keyOf('a'))).toMatchObject([false, { ratelimit: '"default";r=1;t=60' }]);
      expect(await counted.ask(keyOf('a'))).toMatchObject([false, { ratelimit: '"default";r=0;t=60' }]);
      expect(await counted.ask(keyOf('b'))).toEqual([
        false,
        {
          'x-ratelimit-limit': 3,
          'x-ratelimit-remaining': 0,
          'x-ratelimit-reset': 90,
          'ratelimit-policy': '"keys";q=3;w=90',
          ratelimit: '"keys";r=0;t=90',
        },
      ]);
      expect(await counted.ask(keyOf('c'))).toMatchObject([true, { 'x-ratelimit-reset': 90, 'x-ratelimit-limit': 3 }]);
    });

    it('is not used up by requests that the quota of one of them refuses', async () => {
      const counted = new Counted();
      for (let n = 0; n < 5; n++) await counted.ask(keyOf('a'));
      expect(await counted.ask(keyOf('a'))).toMatchObject([true, { ratelimit: '"default";r=0;t=60' }]);
      expect(await counted.ask(keyOf('b'))).toMatchObject([false, { ratelimit: '"keys";r=0;t=90' }]);
    });

    it('takes a request back in both quotas', async () => {
      const counted = new Counted();
      for (let n = 0; n < 5; n++) {
        expect(await counted.ask(keyOf('a'))).toMatchObject([false, { ratelimit: '"default";r=1;t=60' }]);
        await counted.undo(keyOf('a'));
      }
      await counted.ask(keyOf('a'));
      expect(await counted.ask(keyOf('b'))).toMatchObject([false, { ratelimit: '"keys";r=1;t=90' }]);
    });

    it('has the name in `policy`', async () => {
      const ending = { ...key, rateLimit: { requests: 5, seconds: 60 }, policy: 'ending' };
      expect(await new Counted().ask(ending)).toMatchObject([false, { 'ratelimit-policy': '"ending";q=5;w=60' }]);
    });
  });

  it('is counted for the address if there is no credential; an IPv6 network of one customer is one', async () => {
    const counted = new Counted();
    expect(await counted.ask(null, '2001:db8:1:1::1')).toMatchObject([false, { ratelimit: '"anonymous";r=0;t=30' }]);
    expect(await counted.ask(null, '2001:db8:1:1:ffff::2')).toMatchObject([true, {}]);
    expect(await counted.ask(null, '2001:db8:1:2::1')).toMatchObject([false, {}]);
  });
});
