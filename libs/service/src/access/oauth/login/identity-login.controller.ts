import { Operation } from '../../../document/description/operation.js';
import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../auth/decorators.js';
import { sourceOf } from '../../principal/request-principal.js';
import { beginLoginOperation, completeLoginOperation } from '../oauth.openapi.js';
import { PageController, readOwnForm, redirect } from '../page-controller.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { IdentityLogins } from './identity-logins.js';
import { type CookiePath, loginCookie, loginCookieOf } from './login-cookie.js';

@PageController('oauth/login')
export class IdentityLoginController {
  constructor(
    private readonly logins: IdentityLogins,
    private readonly provider: OauthProvider,
  ) {}

  @Post()
  @Public()
  @Operation(beginLoginOperation)
  async begin(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const fields = await readOwnForm(request, reply, this.provider.origin);
    const { location, interaction, cookie } = await this.logins.begin(fields.get('interaction') ?? '');
    redirect(reply, location, { 'set-cookie': [loginCookie(this.provider, '/oauth/login', interaction, cookie)] });
  }

  @Get('callback')
  @Public()
  @Operation(completeLoginOperation)
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider } = this;
    const answer = new URL(request.raw.url ?? '', provider.base).searchParams;
    const cookieOf = (interaction: string): string | undefined => loginCookieOf(provider, request, interaction);
    const { interaction, cookie } = await this.logins.complete(answer, cookieOf, sourceOf(request));
    const page: CookiePath = `/oauth/interaction/${interaction}`;
    const cookies = [
      loginCookie(provider, '/oauth/login', interaction, '', 0),
      loginCookie(provider, page, interaction, cookie),
    ];
    redirect(reply, `${provider.basePath}${page}`, { 'set-cookie': cookies });
  }
}
