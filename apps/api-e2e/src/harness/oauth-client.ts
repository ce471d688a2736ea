import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ClientInput, CreatedClient } from '@items/dtos/contract';
import type { HttpClient } from '@items/testing';
import * as openid from 'openid-client';

import { expectStatus } from './reading.js';

/** A third-party application that gets access to a user's data, written with the library openid-client. */
export interface OauthClient {
  readonly config: openid.Configuration;
  readonly registered: CreatedClient;
  readonly redirectUri: string;
  /** Begins an authorization. Returns the address for the browser, and a function to finish. */
  begin(scope: string): Promise<Beginning>;
  /** Resolves with the address to which the browser has returned. */
  nextCallback(): Promise<URL>;
  close(): Promise<void>;
}

/** An authorization that the user has not granted yet. */
export interface Beginning {
  readonly url: URL;
  /** Known only to the client until it requests tokens. RFC 7636 §4.1 */
  readonly verifier: string;
  readonly finish: (back: URL) => ReturnType<typeof openid.authorizationCodeGrant>;
}

/**
 * @param issuer URL of the service.
 * @param admin registers the application.
 * @param input of the registration, except name and redirect URI.
 */
export async function oauthClient(
  issuer: string,
  admin: HttpClient,
  input: Partial<ClientInput> = {},
): Promise<OauthClient> {
  const callbacks: URL[] = [];
  const waiting: ((url: URL) => void)[] = [];
  const server = createServer((request, response) => {
    response.end('Back at the application.');
    const url = new URL(request.url ?? '/', redirectOrigin(server));
    if (url.pathname !== '/callback') return;
    const waiter = waiting.shift();
    if (waiter === undefined) callbacks.push(url);
    else waiter(url);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const redirectUri = `${redirectOrigin(server)}/callback`;
  const answer = await admin.post('/clients', {
    name: 'Mug Planner',
    redirect_uris: [redirectUri],
    scopes: ['items:read', 'items:write', 'orders:read'],
    ...input,
  });
  expectStatus(answer, 201);
  const registered = answer.json() as CreatedClient;
  const config = await openid.discovery(
    new URL(issuer),
    registered.client_id,
    undefined,
    openid.ClientSecretBasic(registered.client_secret),
    // oxlint-disable-next-line typescript/no-deprecated -- marked because it is for tests only
    { algorithm: 'oauth2', execute: [openid.allowInsecureRequests] },
  );
  return {
    config,
    registered,
    redirectUri,
    begin: async (scope) => {
      const verifier = openid.randomPKCECodeVerifier();
      const state = openid.randomState();
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope,
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      const checks = { pkceCodeVerifier: verifier, expectedState: state };
      return { url, verifier, finish: (back) => openid.authorizationCodeGrant(config, back, checks) };
    },
    nextCallback: async () => callbacks.shift() ?? new Promise((resolve) => waiting.push(resolve)),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function redirectOrigin(server: Server): string {
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}
