import type { CreatedClient } from '@items/dtos/contract';
import { hashSecret } from '../credentials/secrets/secret.js';

import { describeOnBothDatabases } from '../../service/testing/fixture-database.testing.js';
import { errorOf, startCodeFlow, type CodeFlow, type Tokens } from './testing/code-flow.testing.js';
import { formOf } from './testing/oauth.testing.js';

describeOnBothDatabases('Clients and their tokens (§5 OAuth 2.0)', (under) => {
  let flow: CodeFlow;

  beforeAll(async () => {
    flow = await startCodeFlow(under.config);
  });
  afterAll(() => flow.oauth.close());

  it('the metadata has the base URL, for any Host and forwarding headers', async () => {
    const answer = await fetch(`${flow.oauth.baseUrl}/.well-known/oauth-authorization-server`, {
      headers: { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https', forwarded: 'host=evil.example' },
    });
    const metadata = (await answer.json()) as Record<string, unknown>;
    expect(JSON.stringify(metadata)).not.toContain('evil');
    expect(metadata).toMatchObject({
      issuer: 'http://localhost:3000',
      authorization_endpoint: 'http://localhost:3000/oauth/authorize',
      token_endpoint: 'http://localhost:3000/oauth/token',
      revocation_endpoint: 'http://localhost:3000/oauth/revoke',
      introspection_endpoint: 'http://localhost:3000/oauth/introspect',
      jwks_uri: 'http://localhost:3000/oauth/jwks',
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      grant_types_supported: expect.arrayContaining(['authorization_code', 'refresh_token', 'client_credentials']),
    });
    const keys = (await (await fetch(`${flow.oauth.baseUrl}/oauth/jwks`)).json()) as { keys: object[] };
    expect(keys.keys).toEqual([expect.not.objectContaining({ d: expect.anything() })]);
  });

  it('client_credentials gives the client its own permissions, and no user', async () => {
    const machine = await flow.register({
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scopes: ['items:read'],
    });
    const answer = await formOf(
      flow.oauth.baseUrl,
      '/oauth/token',
      { grant_type: 'client_credentials', scope: 'items:read items:write' },
      flow.basic(machine.client_id, machine.client_secret),
    );
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'items:read',
    });
    expect(await flow.statusWith(tokens.access_token)).toBe(200);
    const bearer = flow.oauth.bearer(tokens.access_token);
    expect((await bearer.get('/users/me')).status).toBe(403);
    expect((await bearer.get('/users/me/grants')).status).toBe(404);
    await flow.oauth.admin.delete(`/clients/${machine.id}`);
    expect(await flow.statusWith(tokens.access_token)).toBe(401);
  });

  it('a token of another client is inactive; errors follow the RFCs, and none is a page', async () => {
    const wrong = await formOf(
      flow.oauth.baseUrl,
      '/oauth/token',
      { grant_type: 'client_credentials' },
      flow.basic('nobody', 'x'),
    );
    expect(wrong.headers.get('www-authenticate')).toContain('Basic');
    expect(await errorOf(wrong)).toEqual([401, 'invalid_client']);
    const unsupported = await formOf(flow.oauth.baseUrl, '/oauth/token', { grant_type: 'password' }, flow.basic());
    expect(await errorOf(unsupported)).toEqual([400, 'unsupported_grant_type']);
    const json = await fetch(`${flow.oauth.baseUrl}/oauth/token`, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', accept: 'text/html', ...flow.basic() },
    });
    expect(await errorOf(json)).toEqual([400, 'invalid_request']);
    const other = await flow.register({ scopes: ['items:read'] });
    const foreign = await formOf(
      flow.oauth.baseUrl,
      '/oauth/introspect',
      { token: ((await (await flow.exchange(await flow.newCode())).json()) as Tokens).access_token },
      flow.basic(other.client_id, other.client_secret),
    );
    expect(await foreign.json()).toEqual({ active: false });
  });

  const rotatingClient = (): Promise<Required<CreatedClient>> =>
    flow.register({ grant_types: ['client_credentials'], redirect_uris: [], scopes: ['items:read'] });
  const rotate = async ({ id }: Required<CreatedClient>, graceSeconds: number): Promise<string> => {
    const rotated = await flow.oauth.admin.post(`/clients/${id}/rotations`, { grace_seconds: graceSeconds });
    return (rotated.json() as Required<CreatedClient>).client_secret;
  };
  const statusesOf = async (
    { client_id: id }: Required<CreatedClient>,
    ...secrets: readonly string[]
  ): Promise<number[]> => {
    const asked = { grant_type: 'client_credentials' };
    const answers = secrets.map((secret) => formOf(flow.oauth.baseUrl, '/oauth/token', asked, flow.basic(id, secret)));
    return (await Promise.all(answers)).map(({ status }) => status);
  };

  it('a rotated secret works until its grace period ends', async () => {
    const rotating = await rotatingClient();
    const [first, second] = [rotating.client_secret, await rotate(rotating, 60)];
    expect(await statusesOf(rotating, first, second)).toEqual([200, 200]);
    const third = await rotate(rotating, 0);
    expect(await statusesOf(rotating, first, second, third)).toEqual([401, 401, 200]);
  });

  it("a secret's hash, no secret or another client's secret is refused, among requests with a valid secret", async () => {
    const [one, other] = [await rotatingClient(), await rotatingClient()];
    const secrets = [
      one.client_secret,
      hashSecret(one.client_secret),
      '',
      'none',
      other.client_secret,
      one.client_secret,
    ];
    expect(await statusesOf(one, ...secrets)).toEqual([200, 401, 400, 401, 401, 200]);
  });

  it('at most two secrets are valid: the second rotation ends the first secret within its grace period', async () => {
    const rotating = await rotatingClient();
    const secrets = [rotating.client_secret, await rotate(rotating, 60), await rotate(rotating, 60)];
    expect(await statusesOf(rotating, ...secrets)).toEqual([401, 200, 200]);
    secrets.push(await rotate(rotating, 3600));
    expect(await statusesOf(rotating, ...secrets)).toEqual([401, 401, 200, 200]);
  });
});
