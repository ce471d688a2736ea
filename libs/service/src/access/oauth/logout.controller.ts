import { logoutPage } from '../credentials/pages/logout-page.js';
import { pageErrorAnswer } from '../credentials/pages/error-page.js';
import { PageErrorFilter } from '../credentials/pages/page-error.filter.js';
import { ReadsBody } from '../../http/nest/reads-body.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { readForm } from '../../http/pages/form-body.js';
import { requireOwnForm } from '../../http/pages/own-form.js';
import { Get, Header, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpsGuard } from '../auth/https.guard.js';
import { Public } from '../auth/public.js';
import { RefusedAs } from '../auth/route-access.js';
import { BrowserLogins } from './browser-logins.js';
import { logoutOperation, showLogoutOperation } from './oauth.openapi.js';
import { OauthProvider } from './provider/oauth-provider.js';

@PlainController('oauth/logout')
@ReadsBody()
@RefusedAs(pageErrorAnswer)
@UseFilters(PageErrorFilter)
@UseGuards(HttpsGuard)
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
    requireOwnForm(request, this.provider.origin);
    await readForm(request, reply);
    await this.logins.end(request, reply);
    reply.headers(pageHeaders()).code(303).header('location', `${this.provider.basePath}/oauth/logout`).send('');
  }
}
