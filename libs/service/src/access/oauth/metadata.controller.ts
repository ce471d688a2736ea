import { OauthErrorFilter } from '../credentials/oauth/oauth-error.filter.js';
import { RESOURCE_METADATA_PATH, resourceOf } from '../credentials/requests/resource.js';
import { oauthErrorAnswer } from '../../http/request/oauth-error.js';
import { Operation } from '../../document/description/operation.js';
import { Get, Header, Inject, Req, Res, UseFilters } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Public } from '../auth/decorators.js';
import { EarlyErrorForm } from '../auth/route-access.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Permissions } from '../principal/permissions.js';
import { jwksOperation, metadataOperation, resourceOperation } from './oauth.openapi.js';
import { OauthProvider } from './provider/oauth-provider.js';

@PlainController()
@EarlyErrorForm(oauthErrorAnswer)
@UseFilters(OauthErrorFilter)
export class MetadataController {
  constructor(
    private readonly provider: OauthProvider,
    @Inject(CONFIG) private readonly config: Pick<Config, 'baseUrl' | 'oauthIssuers'>,
    private readonly permissions: Permissions,
  ) {}

  @Get('.well-known/oauth-authorization-server')
  @Public()
  @Operation(metadataOperation)
  metadata(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }

  /** Serves metadata for clients that know only the address of the service. RFC 9728 */
  @Get(RESOURCE_METADATA_PATH.slice(1))
  @Public()
  @Operation(resourceOperation)
  @Header('Access-Control-Allow-Origin', '*')
  resource(): object {
    const resource = resourceOf(this.config.baseUrl);
    return {
      resource,
      authorization_servers: [resource, ...this.config.oauthIssuers.map(({ issuer }) => issuer)],
      scopes_supported: this.permissions.scopes,
      bearer_methods_supported: ['header'],
    };
  }

  @Get('oauth/jwks')
  @Public()
  @Operation(jwksOperation)
  keys(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.provider.serve(request, reply, { headers: { accept: 'application/json' } });
  }
}
