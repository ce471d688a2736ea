import { Operation } from '@items/openapi';
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Public } from '../auth/public.js';
import { jwksOperation, metadataOperation } from './oauth.openapi.js';
import { OauthErrorFilter } from './provider/oauth-error.filter.js';
import { OauthProvider } from './provider/oauth-provider.js';

/** What clients find out by themselves. RFC 8414 */
@Controller()
@UseFilters(OauthErrorFilter)
export class MetadataController {
  constructor(private readonly provider: OauthProvider) {}

  @Get('.well-known/oauth-authorization-server')
  @Public()
  @Operation(metadataOperation)
  metadata(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }

  @Get('oauth/jwks')
  @Public()
  @Operation(jwksOperation)
  keys(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }
}
