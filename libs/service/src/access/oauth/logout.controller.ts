import { logoutPage } from '../credentials/pages/logout-page.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { Get, Header, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Public } from '../auth/decorators.js';
import { BrowserLogins } from './browser-logins.js';
import { logoutOperation, showLogoutOperation } from './oauth.openapi.js';
import { PageController, readOwnForm, redirect } from './page-controller.js';
import { OauthProvider } from './provider/oauth-provider.js';

@PageController('oauth/logout')
export class LogoutController {
  constructor(
    private readonly logins: BrowserLogins,
    private readonly provider: OauthProvider,
  ) {}

  @Get()
  @Public()
  @Operation(showLogoutOperation)
  @Header('Cache-Control', 'no-store')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    reply.headers(pageHeaders()).send(logoutPage(await this.logins.usernameOf(request)));
  }

  @Post()
  @Public()
  @Operation(logoutOperation)
  async logOut(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await readOwnForm(request, reply, this.provider.origin);
    await this.logins.end(request, reply);
    redirect(reply, `${this.provider.basePath}/oauth/logout`);
  }
}
