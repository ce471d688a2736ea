import { Webhook } from 'standardwebhooks';

import { verifyWebhook, WebhookVerificationError, type WebhookHeaders } from './index.js';

const secretOf = (letter: string): string => `whsec_${Buffer.alloc(32, letter).toString('base64')}`;
const SECRET = secretOf('a');
const ID = '019a9f59-d380-7000-9a17-3c5e2b7d8f40';
const AT = new Date('2026-11-20T10:00:00Z');
const EVENT = { id: ID, type: 'item.created', data: { object: { name: 'Grüße, 茶 🫖' } } };
const BODY = JSON.stringify(EVENT);

/** Headers created by another implementation of Standard Webhooks. */
function signed(body = BODY, secrets = [SECRET], at = AT): Record<string, string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(ID, at, body));
  return {
    'webhook-id': ID,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

const verified = (headers: WebhookHeaders, body: string | Uint8Array | ArrayBuffer = BODY, secrets = [SECRET]) =>
  verifyWebhook(secrets, headers, body, { now: AT });

async function codeOf(verification: Promise<unknown>): Promise<string> {
  const error: unknown = await verification.catch((reason: unknown) => reason);
  if (!(error instanceof WebhookVerificationError)) throw error;
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  return error.code;
}

describe('SPEC §6.2: verifyWebhook', () => {
  it('returns the event of a webhook that another implementation has signed', async () => {
    expect(await verified(signed())).toEqual(EVENT);
    expect(await verifyWebhook(SECRET, signed(), BODY, { now: AT })).toEqual(EVENT);
    await expect(verifyWebhook(SECRET, signed(BODY, [SECRET], new Date()), BODY)).resolves.toEqual(EVENT);
  });

  it('accepts the body as text and as bytes', async () => {
    const bytes = new TextEncoder().encode(BODY);
    expect(await verified(signed(), bytes)).toEqual(EVENT);
    expect(await verified(signed(), Buffer.from(BODY))).toEqual(EVENT);
    expect(await verified(signed(), bytes.buffer)).toEqual(EVENT);
    const within = new Uint8Array([1, ...bytes, 2]).subarray(1, bytes.length + 1);
    expect(await verified(signed(), within)).toEqual(EVENT);
  });

  it('accepts Headers, and records in any case, with lists', async () => {
    expect(await verified(new Headers(signed()))).toEqual(EVENT);
    const entries = Object.entries(signed());
    expect(await verified(Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value])))).toEqual(
      EVENT,
    );
    expect(await verified(Object.fromEntries(entries.map(([name, value]) => [name, [value]])))).toEqual(EVENT);
  });

  it('accepts any of several secrets, and any of several signatures', async () => {
    expect(await verified(signed(BODY, [SECRET]), BODY, [secretOf('b'), SECRET])).toEqual(EVENT);
    expect(await verified(signed(BODY, [secretOf('b'), SECRET]))).toEqual(EVENT);
    const { 'webhook-signature': signature, ...others } = signed();
    expect(await verified({ ...others, 'webhook-signature': `v1a,AAAA v2,x ${String(signature)}` })).toEqual(EVENT);
  });

  it('refuses another secret, another body, another id, another time and a truncated signature', async () => {
    const headers = signed();
    const other = { ...headers, 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) };
    const cut = headers['webhook-signature']?.slice(0, -1) ?? '';
    expect(await codeOf(verified(headers, BODY, [secretOf('b')]))).toBe('wrong_signature');
    expect(await codeOf(verified(headers, `${BODY} `))).toBe('wrong_signature');
    expect(await codeOf(verified({ ...headers, 'webhook-id': 'x' }))).toBe('wrong_signature');
    expect(await codeOf(verified(other))).toBe('wrong_signature');
    for (const signature of [cut, `${cut}A`, 'v1,', `v2${headers['webhook-signature']?.slice(2) ?? ''}`]) {
      expect(await codeOf(verified({ ...headers, 'webhook-signature': signature }))).toBe('wrong_signature');
    }
  });

  it.each([
    [-300, undefined],
    [-301, 'too_old'],
    [300, undefined],
    [301, 'too_new'],
  ])('treats a timestamp %d s from now as %s', async (seconds, code) => {
    const verification = verified(signed(BODY, [SECRET], new Date(AT.getTime() + seconds * 1000)));
    if (code === undefined) expect(await verification).toEqual(EVENT);
    else expect(await codeOf(verification)).toBe(code);
  });

  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('refuses a request without %s', async (name) => {
    const headers = Object.fromEntries(Object.entries(signed()).filter(([key]) => key !== name));
    expect(await codeOf(verified(headers))).toBe('missing_header');
    expect(await codeOf(verified(new Headers(headers)))).toBe('missing_header');
    expect(await codeOf(verified({ ...headers, [name]: '' }))).toBe('missing_header');
  });

  it.each(['', 'soon', '1e9', '-1', ' 1', '1234567890123'])('refuses the timestamp %j', async (timestamp) => {
    expect(await codeOf(verified({ ...signed(), 'webhook-timestamp': timestamp }))).toBe('missing_header');
  });

  it.each(['', '[]', 'null', '{}', '{"id":"x","type":"y"}', '{"id":"x"'])(
    'refuses %j, though it is signed',
    async (body) => {
      expect(await codeOf(verified(signed(body), body))).toBe('invalid_body');
    },
  );

  it('rejects a wrong call with an error that shows no secret', async () => {
    const wrong = ['', 'secret', 'whsec_', 'whsec_not base64', SECRET.slice(6)];
    for (const secret of wrong) {
      const call = verifyWebhook(secret, signed(), BODY, { now: AT });
      await expect(call).rejects.toThrow(new TypeError('A webhook secret must be "whsec_" and a base64 key.'));
    }
    await expect(verified(signed(), BODY, [])).rejects.toThrow(TypeError);
    await expect(verified(signed(), EVENT as unknown as string)).rejects.toThrow('before anything parses it');
  });
});
