import { Artifacts } from '../credentials/tokens/artifacts.js';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Accounts } from '../accounts/accounts.js';
import { SESSION_COOKIE } from './provider/provider-configuration.js';
import { OauthProvider } from './provider/oauth-provider.js';

const COOKIE = new RegExp(`(?:^|;[ \\t]*)${SESSION_COOKIE}=([\\w-]+)`);

/** Who is logged in with a browser, at the login page. */
@Injectable()
export class BrowserLogins {
  constructor(
    private readonly artifacts: Artifacts,
    private readonly accounts: Accounts,
    private readonly provider: OauthProvider,
  ) {}

  /** @returns the username; undefined without a login. */
  async usernameOf(request: FastifyRequest): Promise<string | undefined> {
    const session = await this.artifacts.find(cookieOf(request) ?? '');
    if (session?.model !== 'Session' || session.user_id === null || session.expires_at <= Date.now()) return undefined;
    const account = await this.accounts.find(session.user_id);
    if (account === undefined || account.disabled || account.credentialsVersion > (session.credentials_version ?? -1)) {
      return undefined;
    }
    return account.username;
  }

  /** Ends the login of the browser, whose cookie is the only name that it has; tokens live on. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const cookie = cookieOf(request);
    if (cookie !== undefined && (await this.artifacts.find(cookie))?.model === 'Session') {
      await this.artifacts.remove(cookie);
    }
    const gone = `Path=${this.provider.basePath}/oauth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax`;
    reply.header('set-cookie', [`${SESSION_COOKIE}=; ${gone}`, `${SESSION_COOKIE}.sig=; ${gone}`]);
  }
}

function cookieOf({ raw }: FastifyRequest): string | undefined {
  return COOKIE.exec(raw.headers.cookie ?? '')?.[1];
}
