import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Signer of a token: the issuer, a forger with other keys, none (`alg: none`), or the public key used as an HMAC
 * secret.
 */
export type Signer = 'itself' | 'forger' | 'none' | 'public key';

/** A person at the issuer, and wrong responses to send for them. Default: correct responses. */
export interface PersonAtIssuer {
  /** Claims of the ID token that add to, or replace, the required ones. */
  readonly claims?: object;
  /** Response of the UserInfo endpoint. */
  readonly userinfo?: object;
  readonly by?: Signer;
  /** Status of the token endpoint. */
  readonly status?: number;
  /** If true, the token endpoint never responds. */
  readonly isLate?: boolean;
}

export interface ProviderProcess {
  /** Value of `iss`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** An issuer whose responses are set by a test. */
export interface OutsideIssuer extends ProviderProcess {
  /** @param claims that add to, or replace, `iss`, `sub` and an `exp` in five minutes. */
  token(claims?: object, by?: Signer, kid?: string): Promise<string>;
  /**
   * Logs a person in, at the address to which the service redirected the browser.
   * @returns the address to which the issuer redirects the browser.
   */
  logIn(address: URL, person: PersonAtIssuer): Promise<URL>;
  rotate(kid: string): Promise<void>;
}

/** Starts oidc-provider in its own process. */
export function startCertifiedProvider(): Promise<ProviderProcess> {
  // Ignore the provider's warning about its store in memory.
  return started('certified-provider.js', 'ignore');
}

export async function startIssuer(): Promise<OutsideIssuer> {
  const { url, stop } = await started('issuer.js');
  const post = async (path: string, body: object): Promise<unknown> =>
    (await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })).json();
  return {
    url,
    token: async (claims = {}, by = 'itself', kid) => {
      const exp = Math.floor(Date.now() / 1000) + 300;
      const all = { iss: url, sub: 'somebody', exp, ...claims };
      return ((await post('/sign', { by, kid, claims: all })) as { token: string }).token;
    },
    logIn: async (address, { claims, ...answers }) => {
      const asked = address.searchParams;
      const code = randomUUID();
      const now = Math.floor(Date.now() / 1000);
      const usual = {
        iss: url,
        aud: asked.get('client_id'),
        sub: 'somebody',
        iat: now,
        exp: now + 300,
        nonce: asked.get('nonce'),
      };
      await post('/expect', {
        code,
        challenge: asked.get('code_challenge'),
        claims: { ...usual, ...claims },
        ...answers,
      });
      const back = new URL(asked.get('redirect_uri') ?? '');
      back.search = new URLSearchParams({ code, state: asked.get('state') ?? '', iss: url }).toString();
      return back;
    },
    rotate: async (kid) => {
      await post('/rotate', { kid });
      // The service requests the issuer's keys at most once a second.
      await sleep(1100);
    },
    stop,
  };
}

async function started(script: string, stderr: 'inherit' | 'ignore' = 'inherit'): Promise<ProviderProcess> {
  const file = join(__dirname, '../..', script);
  const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', stderr] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    stop: async () => {
      if (child.exitCode !== null || child.killed) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
