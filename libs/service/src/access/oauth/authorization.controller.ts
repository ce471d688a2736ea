import { FIRST_PARTY } from '../credentials/tokens/lifetimes.js';
import { grantable, isInvalidScope, withoutIgnored } from '../credentials/tokens/scope-words.js';
import { isOtherLocalhost } from '../credentials/clients/redirect-uris.js';
import { pageErrorAnswer } from '../credentials/pages/error-page.js';
import { PageErrorFilter } from '../credentials/pages/page-error.filter.js';
import { RESPONSE_MODE } from './provider/patches/responses.js';
import { queryOf } from '../../http/request/query.js';
import { Operation } from '../../document/description/operation.js';
import { pageHeaders } from '../../http/pages/page-headers.js';
import { Get, Req, Res, UseFilters } from '@nestjs/common';
import { PlainController } from '../../http/nest/plain-controller.decorator.js';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';
import { Public } from '../auth/decorators.js';
import { EarlyErrorForm } from '../auth/route-access.js';
import { Permissions } from '../principal/permissions.js';
import { ClientRegistry } from './clients/client-registry.js';
import { authorizeOperation, resumeOperation } from './oauth.openapi.js';
import { OauthProvider } from './provider/oauth-provider.js';
import { INVALID_SCOPE } from './provider/provider-configuration.js';

/**
 * Request parameters to drop: one that only this service sets, and OpenID Connect parameters that libraries send by
 * default.
 */
const IGNORED: ReadonlySet<string> = new Set([
  'nonce',
  'max_age',
  'acr_values',
  'id_token_hint',
  'ui_locales',
  'claims',
  'claims_locales',
  'display',
  'login_hint',
  INVALID_SCOPE,
]);

/** Clients send browsers of users to this endpoint. RFC 6749 §3.1 */
@PlainController('oauth/authorize')
@EarlyErrorForm(pageErrorAnswer)
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
    await this.show(request, reply, `/oauth/authorize?${await this.providerQuery(request)}`);
  }

  @Get(':uid')
  @Public()
  @Operation(resumeOperation)
  async resume(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.show(request, reply, request.raw.url ?? '');
  }

  /** The response is a page, whatever `Accept` contains. */
  private show(request: FastifyRequest, reply: FastifyReply, url: string): Promise<void> {
    reply.headers(pageHeaders()).removeHeader('content-type');
    return this.provider.serve(request, reply, { url, headers: { accept: 'text/html' } });
  }

  /**
   * Builds the query for oidc-provider. Removes empty and ignored parameters, and limits `scope` to the scopes of the
   * client (SPEC §5.5).
   */
  private async providerQuery(request: FastifyRequest): Promise<string> {
    const { scopes } = this.permissions;
    const query = new URLSearchParams();
    for (const [name, value] of queryOf(request)) {
      if (value !== '' && !IGNORED.has(name)) query.append(name, value);
    }
    /** Undefined for a repeated parameter: oidc-provider refuses it. */
    const single = (name: string): string | undefined => {
      const [value, second] = query.getAll(name);
      return second === undefined ? value : undefined;
    };
    const [type, prompt, clientId] = [single('response_type'), single('prompt'), single('client_id')];
    const [scope, secondScope] = query.getAll('scope');
    // For a response type with tokens, oidc-provider would send even the error in the fragment. RFC 6749 §4.1.2.1
    if (type !== undefined && type !== 'code') query.set('response_type', 'unsupported');
    this.provider.dropOwnResource(query);
    if (query.getAll('response_mode').some((mode) => mode !== RESPONSE_MODE)) query.set('response_mode', 'unsupported');
    if (prompt !== undefined) query.set('prompt', promptFor(prompt));
    if (scope !== undefined && isInvalidScope(scope, scopes)) query.set(INVALID_SCOPE, scope);
    // Requests all scopes for a first-party page, because its grant contains only the scopes of the user.
    if (clientId === FIRST_PARTY) query.set('scope', scopes.join(' '));
    const client = clientId === undefined ? null : await this.clients.find(clientId);
    if (client === null || secondScope !== undefined) return query.toString();
    // oidc-provider would accept any port of `localhost`.
    if (isOtherLocalhost(client, query.get('redirect_uri') ?? '')) throw new errors.InvalidRedirectUri();
    query.set('scope', grantable(withoutIgnored(scope), new Set(client.scopes), scopes).join(' '));
    return query.toString();
  }
}

/** `select_account` shows the login page, as `login` does. */
function promptFor(prompt: string): string {
  return prompt
    .split(' ')
    .map((word) => (word === 'select_account' ? 'login' : word))
    .join(' ');
}
