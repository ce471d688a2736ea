import { type Draft, ofItem, specified } from './specified.js';
import { type Need } from '../discovery/findings.js';
import { expectStatus, expectThat } from '../verdict.js';
import { queryOf } from '../pages/walk.js';
import { type Caller, fieldOf, post } from '../service/exchange.js';

const urlNames = ['api_key', 'apikey', 'api-key', 'x-api-key', 'key', 'access_token', 'token', 'auth'];

export const section5 = specified(['credential'], {
  '5.missing.read': readsRefused('Missing credentials answer 401: reading.', 'anonymous'),
  '5.missing.write': writesRefused('Missing credentials answer 401: creating, replacing and deleting.', 'anonymous'),
  '5.invalid.read': readsRefused('Invalid credentials answer 401: reading.', 'impostor'),
  '5.invalid.write': writesRefused('Invalid credentials answer 401: creating, replacing and deleting.', 'impostor'),
  '5.refused.unchanged': changesNothing('401 means unauthenticated: what was asked for is not done.', 'anonymous'),
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
  '5.read-only.writes': writesRefused('Valid credentials without permission for the operation answer 403.', 'reader'),
  '5.read-only.unchanged': changesNothing('403 means unauthorized: a read-only credential changes nothing.', 'reader'),
});

function readsRefused(sentence: string, as: Caller): Draft {
  return {
    sentence,
    run: async ({ service, found, items }) => {
      expectStatus(await service.get('/items', { as }), 401);
      if (found.has('items.write')) expectStatus(await service.get((await items.create()).path, { as }), 401);
    },
  };
}

function writesRefused(sentence: string, as: Caller): Draft {
  const status = as === 'reader' ? 403 : 401;
  return {
    sentence,
    needs: needsToWrite(as),
    run: async ({ service, items }) => {
      const body = items.content();
      expectStatus(await service.send(post('/items', body, { as })), status);
      const { path } = await items.create();
      expectStatus(await service.send({ method: 'PUT', path, as, body }), status);
      expectStatus(await service.send({ method: 'DELETE', path, as }), status);
    },
  };
}

function changesNothing(sentence: string, as: Caller): Draft {
  const draft = ofItem(sentence, async (item, { service, items }) => {
    await service.send({ method: 'PUT', path: item.path, as, body: items.content() });
    await service.send({ method: 'DELETE', path: item.path, as });
    const shown = await service.get(item.path);
    const isUnchanged = shown.status === 200 && fieldOf(shown, 'name') === item.content['name'];
    expectThat(isUnchanged, shown, `the item ${item.id} as it was`);
  });
  return { ...draft, needs: needsToWrite(as) };
}

function needsToWrite(as: Caller): readonly Need[] {
  return [as === 'reader' ? 'read-only' : 'credential', 'items.write'];
}
