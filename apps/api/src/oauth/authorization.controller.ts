import { queryOf } from '@items/http';
import { Operation } from '@items/openapi';
import { pageHeaders } from '@items/pages';
import { Controller, Get, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Public } from '../auth/public.js';
import { ClientRegistry } from './clients/client-registry.js';
import { authorizeOperation, resumeOperation } from './oauth.openapi.js';
import { PageErrorFilter } from './pages/page-error.filter.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { RESPONSE_MODE } from './provider/offered-metadata.js';
import { grantable } from './tokens/scope-words.js';

/** Where a client sends the browser of a user. RFC 6749 §3.1 */
@Controller('oauth/authorize')
@UseFilters(PageErrorFilter)
export class AuthorizationController {
  constructor(
    private readonly provider: OauthProvider,
    private readonly clients: ClientRegistry,
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
    const pairs = queryOf(request);
    const all = (name: string): string[] => pairs.filter(([key]) => key === name).map(([, value]) => value);
    const [clientId, secondClient] = all('client_id');
    const [scope, secondScope] = all('scope');
    const query = new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value]));
    if (all('response_mode').some((mode) => mode !== RESPONSE_MODE)) query.set('response_mode', 'unsupported');
    const client = clientId === undefined ? null : await this.clients.find(clientId);
    // What is given twice is refused as it stands.
    if (client === null || secondClient !== undefined || secondScope !== undefined) return query.toString();
    query.set('scope', grantable(scope, new Set(client.scopes)).join(' '));
    return query.toString();
  }
}
