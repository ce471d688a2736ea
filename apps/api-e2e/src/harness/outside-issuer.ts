import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who signs a token: the issuer, another one with other keys, none (`alg: none`), or its public key as a secret. */
export type Signer = 'itself' | 'forger' | 'none' | 'public key';

/** Who logs in at the issuer, and how it answers the service: as it should where nothing is said. */
export interface PersonAtIssuer {
  /** Of the ID token, beside or instead of the required ones. */
  readonly claims?: object;
  /** Of the UserInfo endpoint. */
  readonly userinfo?: object;
  readonly by?: Signer;
  /** Of the token endpoint. */
  readonly status?: number;
  /** Whether the token endpoint never answers. */
  readonly isLate?: boolean;
}

/** An identity provider in a process of its own. */
export interface ProviderProcess {
  /** What stands in `iss`. */
  readonly url: string;
  stop(): Promise<void>;
}

/** One that does what a test wants. */
export interface OutsideIssuer extends ProviderProcess {
  /** @param claims beside `iss`, `sub` and an `exp` in five minutes, or instead of them. */
  token(claims?: object, by?: Signer, kid?: string): Promise<string>;
  /**
   * Logs a person in: at the address that the service has sent the browser to, with what the service should know of it.
   * @returns where the browser comes back to.
   */
  logIn(address: URL, person: PersonAtIssuer): Promise<URL>;
  /** From now on it has other keys. */
  rotate(kid: string): Promise<void>;
}

/** oidc-provider, in a process of its own. */
export function startCertifiedProvider(): Promise<ProviderProcess> {
  // It warns of its store in memory, which is what a test wants.
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
      // The service asks for keys at most once a second.
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
