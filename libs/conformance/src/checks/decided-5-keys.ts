import { type CheckContext } from '../context.js';
import { expectStatus, expectThat, NotApplicable } from '../verdict.js';
import { assignedId } from '../service/created.js';
import { type Ask, type Exchange, fieldsOf, header } from '../service/exchange.js';
import { decided } from './specified.js';

export const decidedKeys = decided(['credential'], {
  '5.keys.form': {
    sentence: '`itk_` + 43 base62 of secret + 6 base62 of CRC32.',
    run: async (context) => {
      const { created, key } = await createKey(context, ['items:read']);
      expectThat(/^itk_[0-9A-Za-z]{49}$/.test(key), created, 'such a key', `a key of ${key.length} characters`);
    },
  },
  '5.keys.shown-once': {
    sentence: 'The secret stands in `key`, only in the answers to creation and rotation.',
    run: async (context) => {
      const { path, key } = await createKey(context, ['items:read']);
      const shown = await context.service.get(path);
      expectStatus(shown, 200);
      expectThat(!shown.text.includes(key), shown, 'no secret', 'the secret again');
    },
  },
  '5.keys.scopes': {
    sentence: 'GET, POST … `/items`: 200 with a read-only credential, 403 for writing.',
    run: async (context) => {
      const { ask } = await createKey(context, ['items:read']);
      expectStatus(await ask({ path: '/items' }), 200);
      expectStatus(await ask({ method: 'POST', path: '/items', body: context.items.content() }), 403);
      expectStatus(await ask({ path: '/api-keys' }), 403);
    },
  },
  '5.keys.never-more': {
    sentence: 'A new credential can never hold more than its creator: 403.',
    run: async (context) => {
      const { ask } = await createKey(context, ['items:read', 'keys:manage']);
      const body = { name: context.word('conformance'), scopes: ['items:write'] };
      expectStatus(await ask({ method: 'POST', path: '/api-keys', body }), 403);
    },
  },
  '5.keys.rotated': {
    sentence: '`POST /api-keys/{id}/rotations {"grace_seconds": 0}` → 201 with the new secret; the old one ends.',
    run: async (context) => {
      const { ask, path } = await createKey(context, ['items:read']);
      const body = { grace_seconds: 0 };
      const rotated = await context.service.send({ method: 'POST', path: `${path}/rotations`, body });
      expectStatus(rotated, 201);
      expectStatus(await ask({ path: '/items' }), 401);
      expectStatus(await askWith(context, String(fieldsOf(rotated.json)['key']))({ path: '/items' }), 200);
    },
  },
  '5.keys.grace': {
    sentence: 'The old one works until the grace ends.',
    run: async (context) => {
      const { ask, path } = await createKey(context, ['items:read']);
      const body = { grace_seconds: 600 };
      expectStatus(await context.service.send({ method: 'POST', path: `${path}/rotations`, body }), 201);
      expectStatus(await ask({ path: '/items' }), 200);
    },
  },
  '5.keys.deleted': {
    sentence: 'A deleted key is dead: `DELETE /api-keys/{id}`.',
    run: async (context) => {
      const { ask, path } = await createKey(context, ['items:read']);
      expectStatus(await ask({ path: '/items' }), 200);
      expectStatus(await context.service.send({ method: 'DELETE', path }), 204);
      expectStatus(await ask({ path: '/items' }), 401);
    },
  },
  '5.keys.not-replayed': {
    sentence: 'Answers that hold a secret are not replayed: 409 `secret_not_replayable` with `Location`.',
    run: async (context) => {
      const body = { name: context.word('conformance'), scopes: ['items:read'] };
      const headers = { 'Idempotency-Key': context.word('key') };
      const ask = { method: 'POST', path: '/api-keys', body, headers };
      const first = await context.service.send(ask);
      if (first.status !== 201) throw new NotApplicable(`POST /api-keys answers ${first.status}`);
      const again = await context.service.send(ask);
      expectStatus(again, 409);
      const told = fieldsOf(again.json)['code'] === 'secret_not_replayable' && header(again, 'location') !== undefined;
      expectThat(told, again, '`code`: secret_not_replayable, and Location');
    },
  },
  '5.keys.quota': {
    sentence: 'A key may carry its own quota; over it, 429 with `Retry-After` and `X-RateLimit-Reset` equal.',
    run: async (context) => {
      const { ask } = await createKey(context, ['items:read'], { rate_limit: { requests: 1, seconds: 1 } });
      await ask({ path: '/items' });
      await ask({ path: '/items' });
      const over = context.service.limited
        .filter(({ ask: asked, status }) => status === 429 && asked.as === 'anonymous')
        .at(-1);
      if (over === undefined) throw new NotApplicable('the quota of a key was not exceeded');
      const [after, reset] = [header(over, 'retry-after'), header(over, 'x-ratelimit-reset')];
      expectThat(
        after === reset && Number(after) >= 1,
        over,
        'both the same, ≥ 1',
        `${after ?? ''} and ${reset ?? ''}`,
      );
    },
  },
});

interface OwnKey {
  readonly path: string;
  readonly key: string;
  readonly created: Exchange;
  readonly ask: (ask: Ask) => Promise<Exchange>;
}

async function createKey(context: CheckContext, scopes: readonly string[], more: object = {}): Promise<OwnKey> {
  const body = { name: context.word('conformance'), scopes, ...more };
  const created = await context.service.send({ method: 'POST', path: '/api-keys', body });
  const id = assignedId(created);
  const { key } = fieldsOf(created.json);
  if (created.status !== 201 || id === undefined || typeof key !== 'string') {
    throw new NotApplicable(`POST /api-keys answers ${created.status}`);
  }
  return { path: `/api-keys/${id}`, key, created, ask: askWith(context, key) };
}

function askWith({ service }: CheckContext, key: string) {
  return (ask: Ask): Promise<Exchange> =>
    service.send({ ...ask, as: 'anonymous', headers: { ...ask.headers, 'X-API-Key': key } });
}
