import type { AuditEvent, Item } from '@items/dtos/contract';
import { HttpClient } from '@items/testing';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { type OauthUnderTest, startOauth } from '../oauth/testing/oauth.testing.js';

const PEER = '127.0.0.1';
const LONG = 'x'.repeat(8000);

describeOnBothDatabases('§8 The address of a client behind a trusted proxy', (under) => {
  let service: OauthUnderTest;

  beforeAll(async () => {
    service = await startOauth(under.config, { TRUST_PROXY: PEER, RATE_LIMIT_ANONYMOUS: '5/60' });
  });
  afterAll(() => service.close());

  const stranger = (forwarded: string): HttpClient =>
    new HttpClient({ baseUrl: service.baseUrl, headers: [['X-Forwarded-For', forwarded]] });
  const recordedAddress = async (forwarded: string): Promise<string | null | undefined> => {
    const made = await service.admin.withHeaders(['X-Forwarded-For', forwarded]).post('/items', { name: 'x' });
    const { id } = made.json() as Item;
    const records = (await service.admin.get(`/audit-events?object_id=${id}`)).json() as {
      audit_events: AuditEvent[];
    };
    return records.audit_events[0]?.address;
  };

  it('entries that are no addresses share the quota of the peer', async () => {
    const statuses: number[] = [];
    const invented = ['unknown', 'a', 'b:80', LONG, `fe80::1%${LONG}`, '203.0.113.1, c', '203.0.113.300'];
    for (const forwarded of invented) statuses.push((await stranger(forwarded).get('/items')).status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
  });

  it.each(['203.0.113.7', '203.0.113.8:5555', '[2001:db8::1]:443', 'unknown, 203.0.113.9'])(
    '%s has a quota of its own',
    async (forwarded) => {
      expect((await stranger(forwarded).get('/items')).header('x-ratelimit-remaining')).toBe('4');
    },
  );

  it.each([
    { name: 'an address with a port', forwarded: '203.0.113.7:5555', address: '203.0.113.7' },
    { name: 'a word', forwarded: 'unknown', address: PEER },
    { name: 'a long text', forwarded: LONG, address: PEER },
    { name: 'an address with a long zone', forwarded: `fe80::1%${LONG}`, address: PEER },
    { name: 'a word after an address', forwarded: '203.0.113.7, unknown', address: PEER },
    { name: 'an address after a word', forwarded: 'unknown, 203.0.113.7', address: '203.0.113.7' },
  ])('the audit records $address for $name', async ({ forwarded, address }) => {
    expect(await recordedAddress(forwarded)).toBe(address);
  });
});
