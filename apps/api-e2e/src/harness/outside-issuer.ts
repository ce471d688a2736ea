import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** Who signs a token: the issuer, another one with other keys, none (`alg: none`), or its public key as a secret. */
export type Signer = 'itself' | 'forger' | 'none' | 'public key';

/** An identity provider in a process of its own. */
export interface OutsideIssuer {
  /** What stands in `iss`. */
  readonly url: string;
  /** @param claims beside `iss`, `sub` and an `exp` in five minutes, or instead of them. */
  token(claims?: object, by?: Signer, kid?: string): Promise<string>;
  /** From now on it has other keys. */
  rotate(kid: string): Promise<void>;
  stop(): Promise<void>;
}

export async function startIssuer(): Promise<OutsideIssuer> {
  const child = spawn(process.execPath, [join(__dirname, '../../issuer.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  const url = line.toString().trim();
  const post = async (path: string, body: object): Promise<unknown> =>
    (await fetch(url + path, { method: 'POST', body: JSON.stringify(body) })).json();
  return {
    url,
    token: async (claims = {}, by = 'itself', kid) => {
      const exp = Math.floor(Date.now() / 1000) + 300;
      const all = { iss: url, sub: 'somebody', exp, ...claims };
      return ((await post('/sign', { by, kid, claims: all })) as { token: string }).token;
    },
    rotate: async (kid) => {
      await post('/rotate', { kid });
      // The service asks for keys at most once a second.
      await sleep(1100);
    },
    stop: async () => {
      if (child.exitCode !== null || child.killed) return;
      child.kill();
      await once(child, 'exit');
    },
  };
}
