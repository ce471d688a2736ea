import { grantable } from '../credentials/tokens/scope-words.js';
import { OauthErrorFilter } from '../credentials/oauth/oauth-error.filter.js';
import { oauthErrorAnswer } from '../../http/request/oauth-error.js';
import { ReadsBody } from '../../http/nest/reads-body.js';
import { Operation } from '../../document/description/operation.js';
import { readForm } from '../../http/pages/form-body.js';
import { Controller, HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { HttpsGuard } from '../auth/https.guard.js';
import { Public } from '../auth/public.js';
import { CountsItself, RefusedAs } from '../auth/route-access.js';
import { Permissions } from '../principal/permissions.js';
import type { QuotaUse } from '../throttling/quota-holders.js';
import { introspectOperation, revokeOperation, tokenOperation } from './oauth.openapi.js';
import { EndpointClients } from './provider/endpoint-clients.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { withProvedSecret } from './provider/patches/proved-client.js';

/** Where clients prove who they are, and are counted for it. RFC 6749 §3.2, RFC 7009, RFC 7662 */
@Controller('oauth')
@UseFilters(OauthErrorFilter)
@UseGuards(HttpsGuard)
@CountsItself()
@ReadsBody()
@RefusedAs(oauthErrorAnswer)
export class ClientEndpointsController {
  constructor(
    private readonly provider: OauthProvider,
    private readonly clients: EndpointClients,
    private readonly permissions: Permissions,
  ) {}

  @Post('token')
  @Public()
  @HttpCode(200)
  @Operation(tokenOperation)
  token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply);
  }

  @Post('revoke')
  @Public()
  @HttpCode(200)
  @Operation(revokeOperation)
  revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply, 'ending');
  }

  @Post('introspect')
  @Public()
  @HttpCode(200)
  @Operation(introspectOperation)
  introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.serve(request, reply);
  }

  private async serve(request: FastifyRequest, reply: FastifyReply, use: QuotaUse = 'usual'): Promise<void> {
    const { client, isProofInHeader, form } = await this.clients.admit(request, reply, use, () =>
      readForm(request, reply),
    );
    const { text, fields } = form;
    const asksForItself = fields.get('grant_type') === 'client_credentials' && fields.getAll('scope').length < 2;
    if (client !== null && asksForItself) {
      const granted = grantable(fields.get('scope'), new Set(client.scopes), this.permissions.scopes);
      fields.set('scope', granted.join(' '));
    }
    const namesUs = this.provider.dropOwnResource(fields);
    const headers = client === null ? {} : withProvedSecret(client.id, isProofInHeader, fields);
    const isChanged = namesUs || (client !== null && (asksForItself || !isProofInHeader));
    const body = isChanged ? fields.toString() : text;
    await this.provider.serve(request, reply, { body, headers: { accept: 'application/json', ...headers } });
  }
}
