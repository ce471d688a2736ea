import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Public } from '../auth/public.js';
import { Operation } from '../openapi/description/operation.js';
import { jwksNotes, metadataNotes, openidNotes } from './oauth.notes.js';
import { OauthErrorFilter } from './provider/oauth-error.filter.js';
import { OauthProvider } from './provider/oauth-provider.js';

/** What clients find out by themselves. RFC 8414 */
@Controller()
@UseFilters(OauthErrorFilter)
export class MetadataController {
  constructor(private readonly provider: OauthProvider) {}

  @Get('.well-known/oauth-authorization-server')
  @Public()
  @Operation(metadataNotes)
  metadata(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }

  /** The same, where clients of OpenID Connect look for it. */
  @Get('.well-known/openid-configuration')
  @Public()
  @Operation(openidNotes)
  openid(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }

  @Get('oauth/jwks')
  @Public()
  @Operation(jwksNotes)
  keys(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }
}
