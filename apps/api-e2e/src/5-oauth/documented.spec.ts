import type { CreatedClient } from '@items/dtos/contract';
import type { Answer, Header } from '@items/testing';

import { admin, unobserved } from '../harness/clients.js';
import { documentProblems } from '../harness/documented.js';
import { expectStatus } from '../harness/reading.js';

const CALLBACK = 'https://shop.example/callback';

/** Errors below `/oauth` have another format, so only the document can check these responses. */
const documented = unobserved.withOptions({
  observers: [
    (exchange) => {
      expect(documentProblems(exchange)).toEqual([]);
    },
  ],
});

function postForm(target: string, fields: Record<string, string>, ...headers: readonly Header[]): Promise<Answer> {
  const form: Header = ['Content-Type', 'application/x-www-form-urlencoded'];
  const body = new URLSearchParams(fields).toString();
  return documented.send('POST', target, { headers: [form, ...headers], body });
}

describe('/openapi.json describes the responses below /oauth', () => {
  let client: CreatedClient;
  let proof: Header;

  beforeAll(async () => {
    const answer = await admin.post('/clients', {
      name: 'Documented',
      redirect_uris: [CALLBACK],
      scopes: ['items:read'],
      grant_types: ['authorization_code', 'client_credentials'],
    });
    expectStatus(answer, 201);
    client = answer.json() as CreatedClient;
    const pair = `${client.client_id}:${client.client_secret}`;
    proof = ['Authorization', `Basic ${Buffer.from(pair).toString('base64')}`];
  });

  it.each(['/.well-known/oauth-authorization-server', '/oauth/jwks'])('GET %s', async (target) => {
    expectStatus(await documented.get(target), 200);
  });

  it('POST /oauth/token, /oauth/introspect and /oauth/revoke', async () => {
    const answer = await postForm('/oauth/token', { grant_type: 'client_credentials' }, proof);
    expectStatus(answer, 200);
    const { access_token: token } = answer.json() as { access_token: string };
    expectStatus(await postForm('/oauth/introspect', { token }, proof), 200);
    expectStatus(await postForm('/oauth/revoke', { token }, proof), 200);
  });

  it.each(['/oauth/token', '/oauth/introspect', '/oauth/revoke'])('errors of POST %s', async (target) => {
    expectStatus(await postForm(target, {}, proof), 400);
    expectStatus(await postForm(target, { client_id: 'nobody', client_secret: 'x' }), 401);
    expectStatus(await documented.get(target), 405);
  });

  it('the pages, their errors, and their redirects', async () => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      scope: 'items:read',
      state: 'xyz',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }).toString();
    const begun = await documented.get(`/oauth/authorize?${query}`);
    expectStatus(begun, 303);
    const cookies = begun.headers.filter(([name]) => name.toLowerCase() === 'set-cookie');
    const cookie: Header = ['Cookie', cookies.map(([, value]) => value.split(';')[0]).join('; ')];
    const page = begun.header('location') ?? '';
    expectStatus(await documented.get(page, cookie), 200);
    expectStatus(await postForm(page, { username: 'nobody', password: 'wrong password' }, cookie), 422);
    expectStatus(await documented.get(page), 400);
    expectStatus(await documented.get('/oauth/authorize?client_id=nobody'), 400);
    expectStatus(await documented.get('/oauth/authorize/unknown'), 400);
  });
});
