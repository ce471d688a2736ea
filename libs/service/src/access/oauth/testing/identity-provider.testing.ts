import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CompactSign, exportJWK, generateKeyPair } from 'jose';

/** Documents of the provider by path. A text is sent unchanged, an object as JSON. */
type Documents = Record<string, object | string | undefined>;

/** An identity provider with responses that a test sets. */
export interface TestProvider {
  readonly url: string;
  /** Replaces default documents; undefined: 404. */
  documents: Documents;
  /** Paths that were requested since the last reset. */
  readonly requested: string[];
  /** Sets the response to the next code. @param payload of the signed ID token. */
  expect(payload: Buffer, alg?: 'ES256' | 'forged'): Promise<void>;
  close(): void;
}

export async function startTestProvider(): Promise<TestProvider> {
  const [keys, forger] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'ES256' };
  const usual: Documents = {};
  const provider: Omit<TestProvider, 'url' | 'close'> = {
    documents: {},
    requested: [],
    expect: async (payload, alg = 'ES256') => {
      const { privateKey } = alg === 'forged' ? forger : keys;
      const token = await new CompactSign(payload).setProtectedHeader({ alg: 'ES256', kid: 'one' }).sign(privateKey);
      usual['/token'] = { access_token: 'at', token_type: 'Bearer', id_token: token };
    },
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://x');
    provider.requested.push(pathname);
    const document = pathname in provider.documents ? provider.documents[pathname] : usual[pathname];
    if (document === undefined) {
      response.writeHead(404).end();
      return;
    }
    const text = typeof document === 'string' ? document : JSON.stringify(document);
    response.setHeader('content-type', 'application/json').end(text);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  usual['/.well-known/openid-configuration'] = {
    issuer: url,
    jwks_uri: `${url}/jwks`,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/me`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
  usual['/jwks'] = { keys: [jwk] };
  return Object.assign(provider, {
    url,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  });
}
