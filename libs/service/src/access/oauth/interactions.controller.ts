import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { Get, Header, Param, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { interactionOperation, interactionAnswerOperation } from './oauth.openapi.js';
import { Interactions, type OpenInteraction, type PageResponse } from './interactions/interactions.js';
import { readLoginCookie } from './login/login-cookie.js';
import { PageController, readOwnForm } from './page-controller.js';
import { OauthProvider } from './provider/oauth-provider.js';

/** Serves the login page and the consent page (GET), and handles their forms (POST). */
@PageController('oauth/interaction')
export class InteractionsController {
  constructor(
    private readonly interactions: Interactions,
    private readonly provider: OauthProvider,
  ) {}

  @Get(':uid')
  @Public()
  @Operation(interactionOperation)
  @Header('Cache-Control', 'no-store')
  async show(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const interaction = await this.interactions.open(request, reply, uid);
    const loginToken = readLoginCookie(this.provider, request, uid);
    this.send(reply, interaction, await this.interactions.show(interaction, loginToken));
  }

  @Post(':uid')
  @Public()
  @Operation(interactionAnswerOperation)
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    const fields = await readOwnForm(request, reply, this.provider.origin);
    const interaction = await this.interactions.open(request, reply, uid);
    this.send(reply, interaction, await this.interactions.submit(interaction, request, fields));
  }

  private send(reply: FastifyReply, interaction: OpenInteraction, { status, headers, html }: PageResponse): void {
    const targets = this.interactions.formTargets(interaction);
    reply
      .code(status)
      .headers({ ...pageHeaders(...targets), ...headers })
      .send(html);
  }
}
