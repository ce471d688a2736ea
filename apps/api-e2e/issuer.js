/**
 * An identity provider of tests in its own process: publishes its keys, and signs any token on request. Prints its
 * address.
 */
import { createHash, createHmac } from 'node:crypto';
import { createServer } from 'node:http';

import { exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';

/** The next login, which the test has announced. */
let expected = {};
let keys = await newKeys('first');
const forger = await newKeys('first');

const server = createServer(async (request, response) => {
  const answer = (body) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  if (request.url === '/.well-known/openid-configuration') return answer(metadata());
  if (request.url === '/jwks') return answer({ keys: [keys.jwk] });
  let body = '';
  for await (const chunk of request) body += chunk;
  if (request.url === '/rotate') {
    keys = await newKeys(JSON.parse(body).kid);
    return answer({});
  }
  if (request.url === '/sign') return answer({ token: await sign(JSON.parse(body)) });
  if (request.url === '/expect') {
    expected = JSON.parse(body);
    return answer({});
  }
  if (request.url === '/token')
    return tokens(request.headers.authorization, new URLSearchParams(body), response, answer);
  if (request.url === '/me') return answer(expected.userinfo ?? { sub: expected.claims.sub });
  return response.writeHead(404).end();
});
server.listen(0, '127.0.0.1', () => console.log(issuer()));
const issuer = Object.assign(() => `http://127.0.0.1:${server.address().port}`, {
  toString: () => issuer(),
  toJSON: () => issuer(),
});

function metadata() {
  return {
    issuer,
    jwks_uri: `${issuer}/jwks`,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    userinfo_endpoint: `${issuer}/me`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  };
}

/** Redeems the expected code, once, for the client `items` with the secret `top:secret`. RFC 6749 §4.1.3 */
async function tokens(authorization, form, response, answer) {
  const { code, challenge, claims, by, status, isLate } = expected;
  if (isLate) return;
  const verified = createHash('sha256')
    .update(form.get('code_verifier') ?? '')
    .digest('base64url');
  const isClient = authorization === `Basic ${Buffer.from('items:top%3Asecret').toString('base64')}`;
  response.statusCode = status ?? (isClient && form.get('code') === code && verified === challenge ? 200 : 400);
  if (response.statusCode !== 200) return answer({ error: isClient ? 'invalid_grant' : 'invalid_client' });
  expected = { ...expected, code: undefined };
  return answer({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token: await sign({ by, claims }) });
}

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
