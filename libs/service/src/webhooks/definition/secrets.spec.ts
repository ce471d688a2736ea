import { validSecrets } from '../../access/credentials/secrets/rotating-secrets.js';
import { makeWebhookSecret, webhookSecrets } from './webhook-secrets.js';
import { SecretBox, UnknownKeyError } from './secret-box.js';
import { selectedKinds, unknownPatterns } from './event-selection.js';
import { describeOnBothDatabases } from '../testing/service.testing.js';

const OWNER = '019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27';

describe('A secret of a webhook', () => {
  it('is 32 random bytes in the format of Standard Webhooks', () => {
    const secret = makeWebhookSecret();
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    expect(secret).not.toBe(makeWebhookSecret());
  });

  it('is decrypted by the key that encrypted it, even if another key comes first', () => {
    const closed = new SecretBox(['old']).close('whsec_x', OWNER);
    expect(closed).not.toContain('whsec');
    expect(new SecretBox(['new', 'old']).open(closed, OWNER)).toBe('whsec_x');
    expect(new SecretBox(['new', 'old']).close('whsec_x', OWNER).split('.')[0]).not.toBe(closed.split('.')[0]);
  });

  it('is not decrypted by another key, for another webhook, or after a change', () => {
    const box = new SecretBox(['key']);
    const closed = box.close('whsec_x', OWNER);
    expect(() => new SecretBox(['other']).open(closed, OWNER)).toThrow(UnknownKeyError);
    expect(() => box.open(closed, OWNER.replace('019', '018'))).toThrow();
    const [id, content = ''] = closed.split('.');
    const bytes = Buffer.from(content, 'base64url');
    bytes[bytes.length - 1]! ^= 1;
    expect(() => box.open(`${String(id)}.${bytes.toString('base64url')}`, OWNER)).toThrow();
  });
});

describeOnBothDatabases('The secrets of a webhook', (under) => {
  it('are at most two; the previous one expires with its grace period', async () => {
    await under.database.transaction(async (tx) => {
      await webhookSecrets.add(tx, OWNER, 'first', 1000);
      expect(await webhookSecrets.shown(tx, OWNER)).toBe(webhookSecrets.first(1000));
      await webhookSecrets.replace(tx, OWNER, 'second', 60, 2000);
      await webhookSecrets.replace(tx, OWNER, 'third', 60, 3000);
      const shown = await webhookSecrets.shown(tx, OWNER);
      expect(validSecrets(shown, 3000).map(({ expires_at: end }) => end)).toEqual([
        null,
        new Date(63_000).toISOString(),
      ]);
      expect(validSecrets(shown, 63_000)).toHaveLength(1);
      const kept = await tx.query('SELECT secret FROM webhook_secrets ORDER BY secret');
      expect(kept).toEqual([{ secret: 'second' }, { secret: 'third' }]);
      await webhookSecrets.replace(tx, OWNER, 'fourth', 0, 4000);
      expect(validSecrets(await webhookSecrets.shown(tx, OWNER), 4000)).toHaveLength(1);
    });
  });
});

describe('The kinds that a webhook requests', () => {
  const kinds = ['item.created', 'item.deleted', 'order.created'];

  it.each([
    [['item.created'], ['item.created']],
    [['item.*'], ['item.created', 'item.deleted']],
    [
      ['order.*', 'item.deleted'],
      ['item.deleted', 'order.created'],
    ],
    [['*', 'item.created'], undefined],
  ])('for %j are %j', (patterns, selected) => {
    expect(selectedKinds(patterns, kinds)).toEqual(selected);
  });

  it('must exist', () => {
    expect(unknownPatterns(['item.*', 'item', 'item.sold', 'user.*', '*', 'it.*'], kinds)).toEqual([
      'item',
      'item.sold',
      'user.*',
      'it.*',
    ]);
  });
});
