/**
 * An identity provider of tests, as a process of its own: publishes its keys, and signs whatever it is asked to sign.
 * Prints the address that it listens on.
 */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

let keys = await newKeys('first');
const forger = await newKeys('first');

const server = createServer(async (request, response) => {
  const answer = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.url === '/.well-known/openid-configuration') return answer({ issuer, jwks_uri: `${issuer}/jwks` });
  if (request.url === '/jwks') return answer({ keys: [keys.jwk] });
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.url === '/rotate') {
    keys = await newKeys(JSON.parse(body).kid);
    return answer({});
  }
  if (request.url === '/sign') return answer({ token: await sign(JSON.parse(body)) });
  return response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => console.log(issuer()));
const issuer = Object.assign(() => `http://127.0.0.1:${server.address().port}`, {
  toString: () => issuer(),
  toJSON: () => issuer(),
});

async function newKeys(kid) {
  const { publicKey, privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { kid, privateKey, publicKey, jwk: { ...(await exportJWK(publicKey)), kid, alg: 'RS256', use: 'sig' } };
}

/** @param {{ by: 'itself' | 'forger' | 'none' | 'public key', kid?: string, claims: object }} wanted */
async function sign({ by, kid = keys.kid, claims }) {
  if (by === 'none') return `${part({ alg: 'none', kid })}.${part(claims)}.`;
  if (by === 'public key') {
    const text = `${part({ alg: 'HS256', kid })}.${part(claims)}`;
    return `${text}.${createHmac('sha256', await exportSPKI(keys.publicKey))
      .update(text)
      .digest('base64url')}`;
  }
  const { privateKey } = by === 'forger' ? forger : keys;
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey);
}

function part(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
