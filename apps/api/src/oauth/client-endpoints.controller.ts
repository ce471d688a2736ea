import { Controller, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { SkipThrottle } from '@nestjs/throttler';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpsGuard } from '../auth/https.guard.js';
import { Public } from '../auth/public.js';
import { Operation } from '../openapi/description/operation.js';
import { introspectNotes, revokeNotes, tokenNotes } from './oauth.notes.js';
import { EndpointClients } from './provider/endpoint-clients.js';
import { readForm } from './provider/form-body.js';
import { OauthErrorFilter } from './provider/oauth-error.filter.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { grantable } from './provider/scope-words.js';

/** Where clients prove who they are, and are counted for it. RFC 6749 §3.2, RFC 7009, RFC 7662 */
@Controller('oauth')
@UseFilters(OauthErrorFilter)
@UseGuards(HttpsGuard)
@SkipThrottle()
export class ClientEndpointsController {
  constructor(
    private readonly provider: OauthProvider,
    private readonly clients: EndpointClients,
  ) {}

  @Post('token')
  @Public()
  @HttpCode(200)
  @Operation(tokenNotes)
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply);
  }

  @Post('revoke')
  @Public()
  @HttpCode(200)
  @Operation(revokeNotes)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply);
  }

  @Post('introspect')
  @Public()
  @HttpCode(200)
  @Operation(introspectNotes)
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply);
  }

  private async serve(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { text, fields } = await readForm(request, reply);
    const client = await this.clients.admit(request, reply, fields);
    const asksForItself = fields.get('grant_type') === 'client_credentials' && fields.getAll('scope').length < 2;
    if (client !== null && asksForItself) {
      fields.set('scope', grantable(fields.get('scope'), new Set(client.scopes)).join(' '));
    }
    const body = client !== null && asksForItself ? fields.toString() : text;
    await this.provider.serve(request, reply, { body, headers: { accept: 'application/json' } });
  }
}
