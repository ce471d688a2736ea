import { type ApiError, ServiceUnavailableError } from '@items/conventions';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors, type Provider } from 'oidc-provider';
import { TooManyFailuresError } from '../../errors/access-errors.js';
import { Artifacts } from '../../credentials/tokens/artifacts.js';
import { consentPage } from '../../credentials/pages/consent-page.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { grantable } from '../../credentials/tokens/scope-words.js';
import { loginPage } from '../../credentials/pages/login-page.js';
import type { Account } from '../../accounts/account.js';
import { Accounts } from '../../accounts/accounts.js';
import { delegableScopes } from '../../principal/rights.js';
import { Permissions } from '../../principal/permissions.js';
import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';
import { GrantsService } from '../grants/grants.service.js';
import { FinishedLogins } from '../login/finished-logins.js';
import { IdentityProvider } from '../login/identity-provider.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { ROUTES } from '../provider/provider-configuration.js';

const FIRST_PARTY_CLIENT: InteractingClient = { id: FIRST_PARTY, name: 'First party', grant_types: ['refresh_token'] };

@Injectable()
export class Interactions {
  constructor(
    private readonly provider: OauthProvider,
    private readonly accounts: Accounts,
    private readonly clients: ClientRegistry,
    private readonly grants: GrantsService,
    private readonly artifacts: Artifacts,
    private readonly finished: FinishedLogins,
    private readonly identityProvider: IdentityProvider,
    private readonly permissions: Permissions,
  ) {}

  /** @throws {errors.SessionNotFound} 400: the page was submitted, has expired, or belongs to another browser. */
  async open(request: FastifyRequest, reply: FastifyReply, uid: string): Promise<OpenInteraction> {
    const model = await this.provider.provider.interactionDetails(this.provider.toProviderRequest(request), reply.raw);
    const { client_id: clientId, redirect_uri: redirectUri, scope } = model.params as Record<string, string>;
    const client = clientId === FIRST_PARTY ? FIRST_PARTY_CLIENT : await this.clients.find(String(clientId));
    if (model.uid !== uid || client === null) throw new errors.SessionNotFound('interaction session not found');
    return { model, client, redirectUri: String(redirectUri), scope: scope ?? '' };
  }

  /**
   * Returns the page, or completes the login if the browser returns from the identity provider.
   * @param loginToken Proves a login at the identity provider.
   */
  async show(interaction: OpenInteraction, loginToken: string | undefined): Promise<PageResponse> {
    const { model, client, redirectUri, scope } = interaction;
    if (model.prompt.name === 'login') {
      const userId = loginToken === undefined ? undefined : await this.finished.take(model.uid, loginToken);
      if (userId !== undefined) return this.logInAs(interaction, userId);
      return { status: 200, headers: {}, html: this.loginPage(interaction, '') };
    }
    const account = await this.approver(interaction);
    const html = consentPage({
      client: client.name,
      username: account.username,
      scopes: grantable(scope, delegableScopes(account.scopes), this.permissions.scopes),
      lasting: client.grant_types.includes('refresh_token'),
      redirectUri,
    });
    return { status: 200, headers: {}, html };
  }

  formTargets({ redirectUri, model }: OpenInteraction): readonly string[] {
    return model.prompt.name === 'login' ? [redirectUri, ...this.identityProvider.origins] : [redirectUri];
  }

  submit(interaction: OpenInteraction, request: FastifyRequest, form: URLSearchParams): Promise<PageResponse> {
    return interaction.model.prompt.name === 'login'
      ? this.logIn(interaction, request, form)
      : this.decide(interaction, request, form);
  }

  private async logIn(
    interaction: OpenInteraction,
    request: FastifyRequest,
    form: URLSearchParams,
  ): Promise<PageResponse> {
    const username = form.get('username') ?? '';
    const pageWithError = (status: number, error: string, headers: ApiError['headers'] = {}): PageResponse => ({
      status,
      headers: headers as Record<string, string>,
      html: this.loginPage(interaction, username, error),
    });
    if (this.identityProvider.settings?.only === true) return pageWithError(422, 'Log in by the identity provider.');
    try {
      const source = { address: request.ip, requestId: request.id };
      const account = await this.accounts.authenticate(username, form.get('password') ?? '', source);
      if (account === undefined) return pageWithError(422, 'Username or password is wrong.');
      return await this.logInAs(interaction, account.id);
    } catch (error) {
      if (error instanceof TooManyFailuresError) {
        return pageWithError(429, 'There were too many wrong passwords. Try again in some minutes.', error.headers);
      }
      if (!(error instanceof ServiceUnavailableError)) throw error;
      return pageWithError(503, 'The service is busy. Try again in a moment.', error.headers);
    }
  }

  private loginPage({ client, redirectUri, model }: OpenInteraction, username: string, error?: string): string {
    const { settings } = this.identityProvider;
    const action = `${this.provider.basePath}/oauth/login`;
    return loginPage({
      client: client.id === FIRST_PARTY ? undefined : client.name,
      redirectUri,
      username,
      provider: settings && { name: settings.name, only: settings.only, action, interaction: model.uid },
      ...(error !== undefined && { error }),
    });
  }

  private async logInAs({ model }: OpenInteraction, userId: string): Promise<PageResponse> {
    const { session } = model;
    // Removes another user's login: otherwise, oidc-provider would show its own logout page.
    if (session?.uid !== undefined && session.accountId !== userId) {
      await this.artifacts.removeByUid(session.uid);
      delete model.session;
    }
    return finish(model, { login: { accountId: userId, remember: false } });
  }

  private async decide(
    interaction: OpenInteraction,
    request: FastifyRequest,
    form: URLSearchParams,
  ): Promise<PageResponse> {
    if (form.get('decision') === 'switch') return this.switchAccount(interaction.model);
    const account = await this.approver(interaction);
    const source = { actor: null, userId: account.id, address: request.ip, requestId: request.id };
    if (form.get('decision') !== 'allow') {
      this.grants.refuse(interaction.client, source);
      return finish(interaction.model, { error: 'access_denied', error_description: 'The user has denied access.' });
    }
    const grantId = await this.grants.approve(interaction.client, account, interaction.scope, source);
    return finish(interaction.model, { consent: { grantId } });
  }

  /** Starts the authorization request again with the login page. The current page is never submitted, and expires. */
  private switchAccount(model: OpenInteraction['model']): PageResponse {
    const query = new URLSearchParams(model.params as Record<string, string>);
    query.set('prompt', 'login');
    return redirect(`${this.provider.basePath}${ROUTES.authorization}?${query.toString()}`);
  }

  private async approver({ model }: OpenInteraction): Promise<Account> {
    const account = await this.accounts.findEnabled(model.session?.accountId ?? '');
    if (account === undefined) throw new errors.SessionNotFound('session not found');
    return account;
  }
}

/**
 * Redirects the browser to oidc-provider, which reads the stored result. The location is only a path, because the host
 * may differ behind a proxy.
 */
async function finish(
  model: OpenInteraction['model'],
  result: NonNullable<OpenInteraction['model']['result']>,
): Promise<PageResponse> {
  model.result = { ...('error' in result ? {} : model.lastSubmission), ...result };
  await model.persist();
  return redirect(new URL(model.returnTo).pathname);
}

function redirect(location: string): PageResponse {
  return { status: 303, headers: { location }, html: '' };
}

export interface OpenInteraction {
  readonly model: Awaited<ReturnType<Provider['interactionDetails']>>;
  readonly client: InteractingClient;
  readonly redirectUri: string;
  readonly scope: string;
}

type InteractingClient = Pick<RegisteredClient, 'id' | 'name' | 'grant_types'>;

export interface PageResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}
