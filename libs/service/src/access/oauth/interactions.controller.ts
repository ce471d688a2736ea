import { pageErrorAnswer } from '../credentials/pages/error-page.js';
import { PageErrorFilter } from '../credentials/pages/page-error.filter.js';
import { ReadsBody } from '../../http/nest/reads-body.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { readForm } from '../../http/pages/form-body.js';
import { requireOwnForm } from '../../http/pages/own-form.js';
import { Get, Header, Param, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.js';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpsGuard } from '../auth/https.guard.js';
import { Public } from '../auth/public.js';
import { RefusedAs } from '../auth/route-access.js';
import { interactionOperation, interactionAnswerOperation } from './oauth.openapi.js';
import { Interactions } from './interactions/interactions.js';
import { loginCookieOf } from './login/login-cookie.js';
import { OauthProvider } from './provider/oauth-provider.js';

/** GET returns the login page or the consent page, and POST handles its form. */
@PlainController('oauth/interaction')
@ReadsBody()
@RefusedAs(pageErrorAnswer)
@UseFilters(PageErrorFilter)
@UseGuards(HttpsGuard)
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
    const cookie = loginCookieOf(this.provider.cookies.providerPrefix, request, uid);
    const outcome = await this.interactions.comeBack(interaction, cookie);
    reply.headers(pageHeaders(...this.interactions.targets(interaction)));
    if (outcome?.kind === 'on') reply.code(303).header('location', outcome.location).send('');
    else reply.send(await this.interactions.page(interaction));
  }

  @Post(':uid')
  @Public()
  @Operation(interactionAnswerOperation)
  async answer(@Req() request: FastifyRequest, @Res() reply: FastifyReply, @Param('uid') uid: string): Promise<void> {
    requireOwnForm(request, this.provider.origin);
    const { fields } = await readForm(request, reply);
    const interaction = await this.interactions.open(request, reply, uid);
    const outcome = await this.interactions.answer(interaction, request, fields);
    reply.headers(pageHeaders(...this.interactions.targets(interaction)));
    if (outcome.kind === 'again') reply.code(outcome.status).headers(outcome.headers).send(outcome.html);
    else reply.code(303).header('location', outcome.location).send('');
  }
}
