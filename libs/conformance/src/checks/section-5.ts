import { type Draft, specified } from './specified.js';
import { type CheckContext } from '../context.js';
import { expectStatus, expectThat } from '../verdict.js';
import { queryOf } from '../pages/walk.js';
import { type Caller, fieldOf, post } from '../service/exchange.js';

const urlNames = ['api_key', 'apikey', 'api-key', 'x-api-key', 'key', 'access_token', 'token', 'auth'];

export const section5 = specified(['credential'], {
  '5.missing.read': readsRefused('Missing', 'anonymous'),
  '5.missing.write': writesRefused('Missing', 'anonymous'),
  '5.invalid.read': readsRefused('Invalid', 'impostor'),
  '5.invalid.write': writesRefused('Invalid', 'impostor'),
  '5.refused.unchanged': {
    sentence: '401 means unauthenticated: what was asked for is not done.',
    needs: ['credential', 'items.write'],
    run: (context) => expectUnchanged(context, 'anonymous'),
  },
  '5.url': {
    sentence: 'Credentials must only be sent over HTTPS, and never in a URL: one in a URL is not accepted.',
    needs: ['credential', 'loopback'],
    run: async ({ service }) => {
      const [secret = ''] = service.credentials.secrets;
      const path = `/items${queryOf(Object.fromEntries(urlNames.map((name) => [name, secret])))}`;
      const answer = await service.get(path, { as: 'anonymous' });
      expectThat(answer.status >= 400, answer, '401, or another refusal');
    },
  },
  '5.read-only.reads': {
    sentence: 'Least privilege applies: a read-only credential is separate from a write credential, and reads.',
    needs: ['read-only'],
    run: async ({ service }) => expectStatus(await service.get('/items', { as: 'reader' }), 200),
  },
  '5.read-only.writes': {
    sentence: 'Valid credentials without permission for the operation answer 403.',
    needs: ['read-only', 'items.write'],
    run: (context) => expectWritesRefused(context, 'reader', 403),
  },
  '5.read-only.unchanged': {
    sentence: '403 means unauthorized: a read-only credential changes nothing.',
    needs: ['read-only', 'items.write'],
    run: (context) => expectUnchanged(context, 'reader'),
  },
});

function readsRefused(word: string, as: Caller): Draft {
  return {
    sentence: `${word} credentials answer 401: reading.`,
    run: async ({ service, found, items }) => {
      expectStatus(await service.get('/items', { as }), 401);
      if (found.has('items.write')) expectStatus(await service.get((await items.create()).path, { as }), 401);
    },
  };
}

function writesRefused(word: string, as: Caller): Draft {
  return {
    sentence: `${word} credentials answer 401: creating, replacing and deleting.`,
    needs: ['credential', 'items.write'],
    run: (context) => expectWritesRefused(context, as, 401),
  };
}

async function expectUnchanged({ service, items }: CheckContext, as: Caller): Promise<void> {
  const item = await items.create();
  await service.send({ method: 'PUT', path: item.path, as, body: items.content() });
  await service.send({ method: 'DELETE', path: item.path, as });
  const shown = await service.get(item.path);
  const isUnchanged = shown.status === 200 && fieldOf(shown, 'name') === item.content['name'];
  expectThat(isUnchanged, shown, `the item ${item.id} as it was`);
}

async function expectWritesRefused({ service, items }: CheckContext, as: Caller, status: number): Promise<void> {
  const body = items.content();
  expectStatus(await service.send(post('/items', body, { as })), status);
  const { path } = await items.create();
  expectStatus(await service.send({ method: 'PUT', path, as, body }), status);
  expectStatus(await service.send({ method: 'DELETE', path, as }), status);
}
