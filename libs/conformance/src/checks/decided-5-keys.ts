import { type CheckContext } from '../check.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { assignedId } from '../service/created.js';
import { type CheckRequest, type Exchange, fieldOf, fieldsOf, header, post } from '../service/exchange.js';
import { about, decided } from './specified.js';

const ofKey = about(['credential'], (context) => createKey(context, ['items:read']));

export const decidedKeys = decided(['credential'], {
  '5.keys.form': ofKey('`itk_` + 43 base62 of secret + 6 base62 of CRC32.', async ({ created, key }) => {
    expectThat(/^itk_[0-9A-Za-z]{49}$/.test(key), created, 'a key of this form', `a key of ${key.length} characters`);
  }),
  '5.keys.shown-once': ofKey(
    'The secret is in `key`, only in the responses to creation and rotation.',
    async ({ path, key }, { service }) => {
      const shown = await service.get(path);
      expectStatus(shown, 200);
      expectThat(!shown.text.includes(key), shown, 'no secret', 'the secret again');
    },
  ),
  '5.keys.scopes': ofKey(
    'GET, POST … `/items`: 200 with a read-only credential, 403 for writing.',
    async ({ ask }, { items }) => {
      expectStatus(await ask({ path: '/items' }), 200);
      expectStatus(await ask(post('/items', items.content())), 403);
      expectStatus(await ask({ path: '/api-keys' }), 403);
    },
  ),
  '5.keys.never-more': {
    sentence: 'A new credential can never hold more than its creator: 403.',
    run: async (context) => {
      const { ask } = await createKey(context, ['items:read', 'keys:manage']);
      const body = { name: context.word('conformance'), scopes: ['items:write'] };
      expectStatus(await ask(post('/api-keys', body)), 403);
    },
  },
  '5.keys.rotated': ofKey(
    '`POST /api-keys/{id}/rotations {"grace_seconds": 0}` → 201 with the new secret; the old secret ends.',
    async ({ ask, path }, context) => {
      const rotated = await context.service.send(post(`${path}/rotations`, { grace_seconds: 0 }));
      expectStatus(rotated, 201);
      expectStatus(await ask({ path: '/items' }), 401);
      expectStatus(await askWith(context, String(fieldOf(rotated, 'key')))({ path: '/items' }), 200);
    },
  ),
  '5.keys.grace': ofKey('The old secret works until the grace period ends.', async ({ ask, path }, { service }) => {
    expectStatus(await service.send(post(`${path}/rotations`, { grace_seconds: 600 })), 201);
    expectStatus(await ask({ path: '/items' }), 200);
  }),
  '5.keys.deleted': ofKey('A deleted key is invalid: `DELETE /api-keys/{id}`.', async ({ ask, path }, { service }) => {
    expectStatus(await ask({ path: '/items' }), 200);
    expectStatus(await service.send({ method: 'DELETE', path }), 204);
    expectStatus(await ask({ path: '/items' }), 401);
  }),
  '5.keys.not-replayed': {
    sentence: 'Responses that contain a secret are not replayed: 409 `secret_not_replayable` with `Location`.',
    run: async ({ service, word }) => {
      const body = { name: word('conformance'), scopes: ['items:read'] };
      const request = post('/api-keys', body, { headers: { 'Idempotency-Key': word('key') } });
      const first = await service.send(request);
      if (first.status !== 201) throw new NotApplicable(`POST /api-keys returns ${first.status}`);
      const again = await service.send(request);
      expectStatus(again, 409);
      const isRight = fieldOf(again, 'code') === 'secret_not_replayable' && header(again, 'location') !== undefined;
      expectThat(isRight, again, '`code`: secret_not_replayable, and Location');
    },
  },
  '5.keys.quota': {
    sentence: 'A key may carry its own quota; above the quota, 429 with equal `Retry-After` and `X-RateLimit-Reset`.',
    run: async (context) => {
      const { ask } = await createKey(context, ['items:read'], { rate_limit: { requests: 1, seconds: 1 } });
      await ask({ path: '/items' });
      await ask({ path: '/items' });
      const { quotaResponses } = context.service;
      const over = quotaResponses.findLast(({ request, status }) => status === 429 && request.as === 'anonymous');
      if (over === undefined) throw new NotApplicable('the quota of a key was not exceeded');
      const [after = '', reset = ''] = [header(over, 'retry-after'), header(over, 'x-ratelimit-reset')];
      expectThat(after === reset && Number(after) >= 1, over, 'both the same, ≥ 1', `${after} and ${reset}`);
    },
  },
});

interface OwnKey {
  readonly path: string;
  readonly key: string;
  readonly created: Exchange;
  readonly ask: (request: CheckRequest) => Promise<Exchange>;
}

async function createKey(context: CheckContext, scopes: readonly string[], more: object = {}): Promise<OwnKey> {
  const body = { name: context.word('conformance'), scopes, ...more };
  const created = await context.service.send(post('/api-keys', body));
  const id = assignedId(created);
  const { key } = fieldsOf(created.json);
  if (created.status !== 201 || id === undefined || typeof key !== 'string') {
    throw new NotApplicable(`POST /api-keys returns ${created.status}`);
  }
  return { path: `/api-keys/${id}`, key, created, ask: askWith(context, key) };
}

function askWith({ service }: CheckContext, key: string) {
  return (request: CheckRequest): Promise<Exchange> =>
    service.send({ ...request, as: 'anonymous', headers: { ...request.headers, 'X-API-Key': key } });
}
