import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { exportJWK, generateKeyPair, SignJWT } from 'jose';

/** A test issuer of access tokens. */
export interface TestIssuer {
  readonly url: string;
  /** Signs an access token for the audience `items`. */
  token(claims: Readonly<Record<string, unknown>>): Promise<string>;
  close(): void;
}

export async function startTestIssuer(): Promise<TestIssuer> {
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const keys = JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] });
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(keys);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  return {
    url,
    token: (claims) =>
      new SignJWT({ sub: 'ada', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'one' })
        .setIssuer(url)
        .setAudience('items')
        .setExpirationTime('10m')
        .sign(privateKey),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
