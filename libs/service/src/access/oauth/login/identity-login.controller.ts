import { Operation } from '../../../document/description/operation.js';
import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Public } from '../../auth/decorators.js';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { sourceOf } from '../../principal/request-principal.js';
import { beginLoginOperation, completeLoginOperation } from '../oauth.openapi.js';
import { PageController, readOwnForm, redirect } from '../page-controller.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { IdentityLogins } from './identity-logins.js';
import { type CookiePath, loginCookie, loginCookieOf } from './login-cookie.js';

/** Includes the login at the identity provider and the way back. */
const COOKIE_SECONDS = 3600;

@PageController('oauth/login')
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
    const fields = await readOwnForm(request, reply, this.provider.origin);
    const { location, interaction, cookie } = await this.logins.begin(fields.get('interaction') ?? '');
    redirect(reply, location, { 'set-cookie': [this.cookie('/oauth/login', interaction, cookie)] });
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
    const cookies = [
      this.cookie('/oauth/login', login.interaction, '', 0),
      this.cookie(page, login.interaction, login.cookie),
    ];
    redirect(reply, `${this.provider.basePath}${page}`, { 'set-cookie': cookies });
  }

  private cookie(path: CookiePath, interaction: string, value: string, seconds = COOKIE_SECONDS): string {
    return loginCookie(this.provider.cookies.providerPrefix, this.baseUrl, path, interaction, value, seconds);
  }
}
