import type { ApiError } from '@items/errors';
import { ServiceUnavailableError, TooManyFailuresError } from '@items/errors';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from 'oidc-provider';

import { Accounts } from '../../accounts/accounts.js';
import { delegableScopes } from '../../auth/delegable-scopes.js';
import { ClientRegistry } from '../clients/client-registry.js';
import { Approvals } from '../grants/approvals.js';
import { OauthProvider } from '../provider/oauth-provider.js';
import { grantable } from '../tokens/scope-words.js';
import { Artifacts } from '../tokens/artifacts.js';
import { consentPage } from '../pages/consent-page.js';
import { loginPage } from '../pages/login-page.js';
import type { OpenInteraction, Outcome } from './open-interaction.js';

/** What the login page and the consent page do. */
@Injectable()
export class Interactions {
  constructor(
    private readonly provider: OauthProvider,
    private readonly accounts: Accounts,
    private readonly clients: ClientRegistry,
    private readonly approvals: Approvals,
    private readonly artifacts: Artifacts,
  ) {}

  /**
   * The page of this address, if it was opened in this very browser.
   * @throws {errors.SessionNotFound} 400: answered, too old, or of another browser.
   */
  async open(request: FastifyRequest, reply: FastifyReply, uid: string): Promise<OpenInteraction> {
    const model = await this.provider.provider.interactionDetails(this.provider.seen(request), reply.raw);
    const { client_id: clientId, redirect_uri: redirectUri, scope } = model.params as Record<string, string>;
    const client = await this.clients.find(String(clientId));
    if (model.uid !== uid || client === null) throw new errors.SessionNotFound('interaction session not found');
    return { model, client, redirectUri: String(redirectUri), scope: scope ?? '' };
  }

  async page(interaction: OpenInteraction): Promise<string> {
    const { model, client, redirectUri, scope } = interaction;
    if (model.prompt.name === 'login') return loginPage({ client: client.name, username: '' });
    const account = await this.approver(interaction);
    return consentPage({
      client: client.name,
      username: account.username,
      scopes: grantable(scope, delegableScopes(account.scopes)),
      lasting: client.grant_types.includes('refresh_token'),
      redirectUri,
    });
  }

  answer(interaction: OpenInteraction, request: FastifyRequest, form: URLSearchParams): Promise<Outcome> {
    return interaction.model.prompt.name === 'login'
      ? this.logIn(interaction, request, form)
      : this.decide(interaction, request, form);
  }

  private async logIn(interaction: OpenInteraction, request: FastifyRequest, form: URLSearchParams): Promise<Outcome> {
    const username = form.get('username') ?? '';
    const again = (status: number, error: string, headers: ApiError['headers'] = {}): Outcome => ({
      kind: 'again',
      status,
      headers: headers as Record<string, string>,
      html: loginPage({ client: interaction.client.name, username, error }),
    });
    try {
      const source = { address: request.ip, requestId: request.id };
      const account = await this.accounts.authenticate(username, form.get('password') ?? '', source);
      if (account === undefined) return again(422, 'Username or password is wrong.');
      await this.forgetOther(interaction, account.id);
      return await this.finish(interaction, { login: { accountId: account.id, remember: false } });
    } catch (error) {
      if (error instanceof TooManyFailuresError) {
        return again(429, 'There were too many wrong passwords. Try again in some minutes.', error.headers);
      }
      if (!(error instanceof ServiceUnavailableError)) throw error;
      return again(503, 'The service is busy. Try again in a moment.', error.headers);
    }
  }

  private async decide(interaction: OpenInteraction, request: FastifyRequest, form: URLSearchParams): Promise<Outcome> {
    const account = await this.approver(interaction);
    const source = { actor: null, userId: account.id, address: request.ip, requestId: request.id };
    if (form.get('decision') !== 'allow') {
      this.approvals.refused(interaction.client, source);
      return this.finish(interaction, { error: 'access_denied', error_description: 'The user has denied access.' });
    }
    const grantId = await this.approvals.approve(interaction.client, account, interaction.scope, source);
    return this.finish(interaction, { consent: { grantId } });
  }

  private async approver({ model }: OpenInteraction): ReturnType<Interactions['known']> {
    return this.known(model.session?.accountId);
  }

  private async known(userId: string | undefined): Promise<NonNullable<Awaited<ReturnType<Accounts['find']>>>> {
    const account = userId === undefined ? undefined : await this.accounts.find(userId);
    if (account === undefined || account.disabled) throw new errors.SessionNotFound('session not found');
    return account;
  }

  /** Somebody else logs in with this browser: oidc-provider would ask the former one to log out, on a page of its own. */
  private async forgetOther({ model }: OpenInteraction, userId: string): Promise<void> {
    if (model.session?.uid === undefined || model.session.accountId === userId) return;
    await this.artifacts.removeByUid(model.session.uid);
    delete model.session;
  }

  /** The result is kept, and the browser goes where it is picked up; the path alone, whatever name it knows us by. */
  private async finish({ model }: OpenInteraction, result: NonNullable<typeof model.result>): Promise<Outcome> {
    model.result = { ...('error' in result ? {} : model.lastSubmission), ...result };
    await model.persist();
    return { kind: 'on', location: new URL(model.returnTo).pathname };
  }
}
