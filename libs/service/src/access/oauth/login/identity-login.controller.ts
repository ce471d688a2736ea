import { Operation } from '../../../document/description/operation.js';
import { Get, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../../auth/decorators.js';
import { sourceOf } from '../../principal/request-principal.js';
import { beginLoginOperation, completeLoginOperation } from '../oauth.openapi.js';
import { PageController, readOwnForm, redirect } from '../page-controller.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { IdentityLogins } from './identity-logins.js';
import { type CookiePath, loginCookie, readLoginCookie } from './login-cookie.js';

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
    const { location, interaction, browserToken } = await this.logins.begin(fields.get('interaction') ?? '');
    const cookie = loginCookie(this.provider, '/oauth/login', interaction, browserToken);
    redirect(reply, location, { 'set-cookie': [cookie] });
  }

  @Get('callback')
  @Public()
  @Operation(completeLoginOperation)
  async complete(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const { provider } = this;
    const callbackParams = new URL(request.raw.url ?? '', provider.base).searchParams;
    const cookieOf = (interaction: string): string | undefined => readLoginCookie(provider, request, interaction);
    const { interaction, loginToken } = await this.logins.complete(callbackParams, cookieOf, sourceOf(request));
    const page: CookiePath = `/oauth/interaction/${interaction}`;
    const cookies = [
      loginCookie(provider, '/oauth/login', interaction, '', 0),
      loginCookie(provider, page, interaction, loginToken),
    ];
    redirect(reply, `${provider.basePath}${page}`, { 'set-cookie': cookies });
  }
}
