import { ApiError } from '@items/conventions';
import { grantable, isInvalidScope, withoutIgnored } from '../credentials/tokens/scope-words.js';
import { OauthErrorFilter } from '../credentials/oauth/oauth-error.filter.js';
import { oauthErrorAnswer } from '../../http/request/oauth-error.js';
import { ReadsBody } from '../../http/nest/json-body.js';
import { Operation } from '../../document/description/operation.js';
import { type FormBody, readForm } from '../../http/pages/form-body.js';
import { shareWithClient } from '../../http/request/cors.js';
import { HttpCode, Post, Req, Res, UseFilters, UseGuards } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { HttpsGuard } from '../auth/credential-guards.js';
import { Public } from '../auth/decorators.js';
import { CountsOwnRequests, EarlyErrorForm } from '../auth/route-access.js';
import { Permissions } from '../principal/permissions.js';
import { introspectOperation, revokeOperation, tokenOperation } from './oauth.openapi.js';
import { type AdmittedRequest, EndpointClients } from './provider/endpoint-clients.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { withVerifiedSecret } from './provider/patches/requests.js';

/** 400: a token request contains an unknown scope. RFC 6749 §5.2 */
class InvalidScopeError extends ApiError {
  override readonly status = 400;
  override readonly code = 'invalid_scope';

  constructor() {
    super('A requested scope does not exist.');
  }
}

/** Clients authenticate at these endpoints. RFC 6749 §3.2, RFC 7009, RFC 7662 */
@PlainController('oauth')
@UseFilters(OauthErrorFilter)
@UseGuards(HttpsGuard)
@CountsOwnRequests()
@ReadsBody()
@EarlyErrorForm(oauthErrorAnswer)
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
  async token(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const admitted = await this.clients.admit(request, reply, 'usual', readShared);
    await this.limitScope(admitted);
    await this.serve(request, reply, admitted);
  }

  @Post('revoke')
  @Public()
  @HttpCode(200)
  @Operation(revokeOperation)
  async revoke(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.serve(request, reply, await this.clients.admit(request, reply, 'revocation', readShared));
  }

  @Post('introspect')
  @Public()
  @HttpCode(200)
  @Operation(introspectOperation)
  async introspect(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.serve(request, reply, await this.clients.admit(request, reply, 'usual', readForm));
  }

  private serve(request: FastifyRequest, reply: FastifyReply, admitted: AdmittedRequest): Promise<void> {
    const { client, isSecretInHeader, form } = admitted;
    const { text, fields } = form;
    this.provider.dropOwnResource(fields);
    const headers = client === null ? {} : withVerifiedSecret(client.id, isSecretInHeader, fields);
    const body = fields.size === 0 ? text : fields.toString();
    return this.provider.serve(request, reply, { body, headers: { accept: 'application/json', ...headers } });
  }

  /** Validates `scope`. A client credentials grant gets at most the scope of the client. */
  private async limitScope({ client, isSecretInHeader, form: { fields } }: AdmittedRequest): Promise<void> {
    const [scope, secondScope] = fields.getAll('scope');
    // oidc-provider refuses a repeated scope.
    if (secondScope !== undefined) return;
    const { scopes } = this.permissions;
    if (scope !== undefined && isInvalidScope(scope, scopes)) {
      // For an unknown client, oidc-provider reports the unknown client instead.
      const isKnown = client !== null || (!isSecretInHeader && (await this.clients.findPublic(fields)) !== undefined);
      if (isKnown) throw new InvalidScopeError();
    }
    const requested = withoutIgnored(scope);
    if (requested === undefined) fields.delete('scope');
    else fields.set('scope', requested);
    if (client === null || fields.get('grant_type') !== 'client_credentials') return;
    fields.set('scope', grantable(requested, new Set(client.scopes), scopes).join(' '));
  }
}

/** Reads the form, and adds CORS headers for pages of the client in the form. SPEC §5.5 */
async function readShared(request: FastifyRequest, reply: FastifyReply): Promise<FormBody> {
  const form = await readForm(request, reply);
  const [clientId, secondClientId] = form.fields.getAll('client_id');
  if (clientId !== undefined && secondClientId === undefined) shareWithClient(request, reply, clientId);
  return form;
}
