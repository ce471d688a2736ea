import { FIRST_PARTY } from '../credentials/tokens/lifetimes.js';
import { grantable } from '../credentials/tokens/scope-words.js';
import { isOtherLocalhost } from '../credentials/clients/loopback.js';
import { pageErrorAnswer } from '../credentials/pages/error-page.js';
import { PageErrorFilter } from '../credentials/pages/page-error.filter.js';
import { RESPONSE_MODE } from './provider/patches/offered-metadata.js';
import { queryOf } from '../../http/request/query.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';

import { Public } from '../auth/public.js';
import { RefusedAs } from '../auth/route-access.js';
import { Permissions } from '../principal/permissions.js';
import { ClientRegistry } from './clients/client-registry.js';
import { authorizeOperation, resumeOperation } from './oauth.openapi.js';
import { OauthProvider } from './provider/oauth-provider.js';

/** Where a client sends the browser of a user. RFC 6749 §3.1 */
@Controller('oauth/authorize')
@RefusedAs(pageErrorAnswer)
@UseFilters(PageErrorFilter)
export class AuthorizationController {
  constructor(
    private readonly provider: OauthProvider,
    private readonly clients: ClientRegistry,
    private readonly permissions: Permissions,
  ) {}

  @Get()
  @Public()
  @Operation(authorizeOperation)
  async authorize(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(request, reply, `/oauth/authorize?${await this.withinClient(request)}`);
  }

  /** The way back from our pages. */
  @Get(':uid')
  @Public()
  @Operation(resumeOperation)
  async resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(request, reply, request.raw.url ?? '');
  }

  /** Whatever the browser accepts, it is shown a page. */
  private show(request: FastifyRequest, reply: FastifyReply, url: string): Promise<void> {
    reply.headers(pageHeaders()).removeHeader('content-type');
    return this.provider.serve(request, reply, { url, headers: { accept: 'text/html' } });
  }

  /**
   * The query with its scope cut down to what the client may ask for (SPEC §5.5). Of a response mode that is not
   * offered only the refusal is left, which else would come by that very mode.
   */
  private async withinClient(request: FastifyRequest): Promise<string> {
    const { scopes } = this.permissions;
    const pairs = queryOf(request);
    const all = (name: string): string[] => pairs.filter(([key]) => key === name).map(([, value]) => value);
    const [clientId, secondClient] = all('client_id');
    const [scope, secondScope] = all('scope');
    const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
    // Of the types with tokens, even the refusal would come in the fragment. RFC 6749 §4.1.2.1
    const [type, secondType] = all('response_type');
    if (type !== undefined && type !== 'code' && secondType === undefined) query.set('response_type', 'unsupported');
    this.provider.dropOwnResource(query);
    if (all('response_mode').some((mode) => mode !== RESPONSE_MODE)) query.set('response_mode', 'unsupported');
    // A page of the organisation gets all that its user may do.
    if (clientId === FIRST_PARTY && secondClient === undefined) query.set('scope', scopes.join(' '));
    const client = clientId === undefined ? null : await this.clients.find(clientId);
    // What is given twice is refused as it stands.
    if (client === null || secondClient !== undefined || secondScope !== undefined) return query.toString();
    // oidc-provider lets any port of it match, as of the addresses.
    if (isOtherLocalhost(client, query.get('redirect_uri') ?? '')) throw new errors.InvalidRedirectUri();
    query.set('scope', grantable(scope, new Set(client.scopes), scopes).join(' '));
    return query.toString();
  }
}
