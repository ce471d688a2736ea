import { Artifacts } from '../credentials/tokens/artifacts.js';
import { logoutPage } from '../credentials/pages/logout-page.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { Get, Header, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Accounts } from '../accounts/accounts.js';
import { Public } from '../auth/decorators.js';
import { logoutOperation, showLogoutOperation } from './oauth.openapi.js';
import { PageController, readOwnForm, redirect } from './page-controller.js';
import { OauthProvider } from './provider/oauth-provider.js';

@PageController('oauth/logout')
export class LogoutController {
  private readonly cookie: RegExp;

  constructor(
    private readonly artifacts: Artifacts,
    private readonly accounts: Accounts,
    private readonly provider: OauthProvider,
  ) {
    this.cookie = new RegExp(`(?:^|;[ \\t]*)${provider.cookies.session}=([\\w-]+)`);
  }

  @Get()
  @Public()
  @Operation(showLogoutOperation)
  @Header('Cache-Control', 'no-store')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    reply.headers(pageHeaders()).send(logoutPage(await this.usernameOf(request)));
  }

  @Post()
  @Public()
  @Operation(logoutOperation)
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await readOwnForm(request, reply, this.provider.origin);
    await this.end(request, reply);
    redirect(reply, `${this.provider.basePath}/oauth/logout`);
  }

  private async usernameOf(request: FastifyRequest): Promise<string | undefined> {
    const session = await this.artifacts.find(this.cookieOf(request) ?? '');
    if (session?.model !== 'Session' || session.user_id === null || session.expires_at <= Date.now()) return undefined;
    return (await this.accounts.findEnabled(session.user_id, session.credentials_version ?? -1))?.username;
  }

  /** Ends the browser session that the cookie identifies. Tokens stay valid. */
  private async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const cookie = this.cookieOf(request);
    if (cookie !== undefined && (await this.artifacts.find(cookie))?.model === 'Session') {
      await this.artifacts.remove(cookie);
    }
    const gone = `Path=${this.provider.basePath}/oauth; Expires=Thu, 01 Jan 1970 00:00:00 GMT; HttpOnly; SameSite=Lax`;
    const { session } = this.provider.cookies;
    reply.header('set-cookie', [`${session}=; ${gone}`, `${session}.sig=; ${gone}`]);
  }

  private cookieOf({ raw }: FastifyRequest): string | undefined {
    return this.cookie.exec(raw.headers.cookie ?? '')?.[1];
  }
}
