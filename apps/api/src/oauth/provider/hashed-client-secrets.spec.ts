import { generateKeyPairSync } from 'node:crypto';

import { hashed } from '@items/service/internal/credentials/tokens/hashed';
import { Provider, type Adapter } from 'oidc-provider';

import { compareSecretsByHash } from '@items/service/internal/oauth/provider/hashed-client-secrets';

describe('Secrets of clients in oidc-provider', () => {
  const signing = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'jwk' });
  const provider = new Provider('http://127.0.0.1', {
    adapter: () => ({}) as Adapter,
    jwks: { keys: [signing] },
    cookies: { keys: ['cookie'] },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    features: { devInteractions: { enabled: false } },
  });
  compareSecretsByHash(provider);
  const client = { clientSecret: `${hashed('new')} ${hashed('old')}` };
  const accepts = (secret: string): unknown => provider.Client.prototype.compareClientSecret.call(client, secret);

  it('are compared by their hashes, of which there may be two', () => {
    expect(['new', 'old', 'other', '', hashed('new')].map(accepts)).toEqual([true, true, false, false, false]);
  });

  it('are not compared at all where oidc-provider asks in another way', () => {
    class Client {}
    expect(() => compareSecretsByHash({ Client } as unknown as Provider)).toThrow('does not compare secrets');
  });
});
