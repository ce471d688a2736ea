import { pageErrorAnswer } from '../../credentials/pages/error-page.js';
import { PageErrorFilter } from '../../credentials/pages/page-error.filter.js';
import { ReadsBody } from '../../../http/nest/reads-body.js';
import { Operation } from '../../../document/description/operation.js';
import { pageHeaders } from '../../../http/pages/page-headers.js';
import { readForm } from '../../../http/pages/form-body.js';
import { requireOwnForm } from '../../../http/pages/own-form.js';
import { Get, Inject, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { PlainController } from '../../../http/nest/plain-controller.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpsGuard } from '../../auth/https.guard.js';
import { Public } from '../../auth/public.js';
import { RefusedAs } from '../../auth/route-access.js';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { sourceOf } from '../../principal/request-principal.js';
import { beginLoginOperation, completeLoginOperation } from '../oauth.openapi.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { IdentityLogins } from './identity-logins.js';
import { type CookiePath, loginCookie, loginCookieOf } from './login-cookie.js';

/** Includes the login at the identity provider and the way back. */
const COOKIE_SECONDS = 3600;

@PlainController('oauth/login')
@ReadsBody()
@RefusedAs(pageErrorAnswer)
@UseFilters(PageErrorFilter)
@UseGuards(HttpsGuard)
export class IdentityLoginController {
  private readonly baseUrl: URL;

  constructor(
    @Inject(CONFIG) { baseUrl }: Pick<Config, 'baseUrl'>,
    private readonly logins: IdentityLogins,
    private readonly provider: OauthProvider,
  ) {
    this.baseUrl = new URL(baseUrl);
  }

  @Post()
  @Public()
  @Operation(beginLoginOperation)
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    requireOwnForm(request, this.provider.origin);
    const { fields } = await readForm(request, reply);
    const { location, interaction, cookie } = await this.logins.begin(fields.get('interaction') ?? '');
    this.lead(reply, location, [this.cookie('/oauth/login', interaction, cookie)]);
  }

  @Get('callback')
  @Public()
  @Operation(completeLoginOperation)
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const answer = new URL(request.raw.url ?? '', this.baseUrl).searchParams;
    const source = sourceOf(request);
    const login = await this.logins.complete(
      answer,
      (page) => loginCookieOf(this.provider.cookies.providerPrefix, request, page),
      source,
    );
    const page: CookiePath = `/oauth/interaction/${login.interaction}`;
    this.lead(reply, `${this.provider.basePath}${page}`, [
      this.cookie('/oauth/login', login.interaction, '', 0),
      this.cookie(page, login.interaction, login.cookie),
    ]);
  }

  private cookie(path: CookiePath, interaction: string, value: string, seconds = COOKIE_SECONDS): string {
    return loginCookie(this.provider.cookies.providerPrefix, this.baseUrl, path, interaction, value, seconds);
  }

  private lead(reply: FastifyReply, location: string, cookies: string[]): void {
    reply.headers(pageHeaders()).header('set-cookie', cookies).code(303).header('location', location).send('');
  }
}
