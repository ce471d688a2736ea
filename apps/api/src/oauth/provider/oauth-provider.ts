import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';

import { Accounts } from '../../accounts/accounts.js';
import { CONFIG, type Config } from '../../config/config.js';
import { Database } from '../../database/database.js';
import { ClientRegistry, hasSecret } from '../clients/client-registry.js';
import { errorPage } from '../pages/error-page.js';
import { Artifacts } from '../tokens/artifacts.js';
import { Authorizations } from '../tokens/authorizations.js';
import { answerUnavailable } from './unavailable.js';
import { keptKeys } from './kept-keys.js';
import { OauthAudit } from './oauth-audit.js';
import { keepOwnCors } from './own-cors.js';
import { providerConfiguration } from './provider-configuration.js';
import { basePathOf, replayed, type Replay } from './replayed-request.js';
import { tellScope } from './told-scope.js';

/** The authorization server: oidc-provider on our database, behind our routes. SPEC §5 OAuth 2.0 */
@Injectable()
export class OauthProvider implements OnModuleInit {
  private readonly base: URL;
  private readonly issuer: string;
  private readonly logger = new Logger(OauthProvider.name);
  private made: Provider | undefined;
  private callback!: ReturnType<Provider['callback']>;

  constructor(
    @Inject(CONFIG) config: Pick<Config, 'baseUrl'>,
    private readonly database: Database,
    private readonly accounts: Accounts,
    private readonly clients: ClientRegistry,
    private readonly artifacts: Artifacts,
    private readonly authorizations: Authorizations,
    private readonly audit: OauthAudit,
  ) {
    this.issuer = config.baseUrl;
    this.base = new URL(config.baseUrl);
  }

  async onModuleInit(): Promise<void> {
    const { accounts, clients, artifacts, authorizations, audit } = this;
    const parts = {
      accounts,
      clients,
      artifacts,
      authorizations,
      reused: audit.reused.bind(audit),
    };
    const keys = await keptKeys(this.database);
    const provider = new Provider(
      this.issuer,
      providerConfiguration(parts, keys, basePathOf(this.base), (ctx, out) => {
        ctx.type = 'text/html; charset=utf-8';
        ctx.body = errorPage(out);
      }),
    );
    // Only our own headers tell it where it is; see `replayed`.
    provider.proxy = true;
    provider.use(keepOwnCors);
    provider.use(tellScope);
    const koa: NodeJS.EventEmitter = provider;
    koa.on('error', (error: Error) => {
      this.logger.error(error);
    });
    provider.on('server_error', (ctx: KoaContextWithOIDC, error: Error) => {
      if (!answerUnavailable(ctx, error)) this.logger.error(error);
    });
    audit.listen(provider);
    compareSecretsByHash(provider);
    this.made = provider;
    this.callback = provider.callback();
  }

  /** @throws {Error} before the start. */
  get provider(): Provider {
    if (this.made === undefined) throw new Error('The authorization server is not ready yet.');
    return this.made;
  }

  /** Where the service is reached, without its path. */
  get origin(): string {
    return this.base.origin;
  }

  /** The request as oidc-provider's own methods want it. */
  seen(request: FastifyRequest): ReturnType<typeof replayed> {
    return replayed(request.raw, this.base, {});
  }

  /** Lets oidc-provider answer, with the headers that every answer of the service has. */
  async serve(request: FastifyRequest, reply: FastifyReply, replay: Replay): Promise<void> {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    await this.audit.within(request, () => this.callback(replayed(request.raw, this.base, replay), reply.raw));
  }
}

/** There is no secret to compare with: only its hash is stored, and there may be two. */
function compareSecretsByHash(provider: Provider): void {
  Object.defineProperty(provider.Client.prototype, 'compareClientSecret', {
    value(this: { readonly clientSecret?: string }, presented: string): boolean {
      return hasSecret({ secretHashes: (this.clientSecret ?? '').split(' ') }, presented);
    },
  });
}
