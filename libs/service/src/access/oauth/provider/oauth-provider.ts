import {
  addGrantedScope,
  respondUnavailable,
  restoreOwnCors,
  retainQuery,
  restrictMetadata,
} from './patches/responses.js';
import { type Replacements, copyForProvider } from './patches/requests.js';
import { basePathOf } from '../../../http/base-path.js';
import { OauthAudit } from '../../credentials/oauth/oauth-audit.js';
import { resourceOf } from '../../credentials/requests/resource.js';
import { SERVER_KEYS, type ServerKeys } from '../../credentials/oauth/server-keys.js';
import { isSameUrl } from '../../../http/request/normalize-url.js';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Provider, type KoaContextWithOIDC } from 'oidc-provider';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { AdapterParts } from './adapter-parts.js';
import { type CookieNames, cookieNames, providerConfiguration, ROUTES } from './provider-configuration.js';
import { storeTogether } from './patches/store-together.js';

/** Errors after a client has disconnected are not logged. */
const CLIENT_IS_GONE: ReadonlySet<string | undefined> = new Set(['ECONNRESET', 'EPIPE', 'ERR_STREAM_DESTROYED']);

const logger = new Logger('OauthProvider');

function report(error: unknown): void {
  logger.error(error);
}

/** Runs oidc-provider with the database and the routes of this service. SPEC §5 OAuth 2.0 */
@Injectable()
export class OauthProvider {
  readonly provider: Provider;
  readonly cookies: CookieNames;
  readonly base: URL;
  private readonly callback: ReturnType<Provider['callback']>;

  constructor(
    @Inject(CONFIG) { baseUrl, serviceName }: Pick<Config, 'baseUrl' | 'serviceName'>,
    @Inject(SERVER_KEYS) keys: ServerKeys,
    parts: AdapterParts,
    private readonly audit: OauthAudit,
  ) {
    this.base = new URL(baseUrl);
    this.cookies = cookieNames(serviceName);
    this.provider = new Provider(baseUrl, providerConfiguration(parts, keys, this.basePath, this.cookies));
    // Makes Koa trust `X-Forwarded-Proto`, which `copyForProvider` sets from the base URL.
    this.provider.proxy = true;
    const together = storeTogether(parts, ROUTES.token, report);
    for (const patch of [restoreOwnCors, addGrantedScope, restrictMetadata, retainQuery, together])
      this.provider.use(patch);
    const koa: NodeJS.EventEmitter = this.provider;
    koa.on('error', (error: NodeJS.ErrnoException) => {
      if (!CLIENT_IS_GONE.has(error.code)) report(error);
    });
    this.provider.on('server_error', (ctx: KoaContextWithOIDC, error: Error) => {
      if (!respondUnavailable(ctx, error)) report(error);
    });
    audit.listen(this.provider);
    this.callback = this.provider.callback();
  }

  get origin(): string {
    return this.base.origin;
  }

  get basePath(): string {
    return basePathOf(this.base);
  }

  /**
   * Removes `resource` if it identifies this service. oidc-provider refuses other resources with `invalid_target`. RFC
   * 8707 §2
   */
  dropOwnResource(fields: URLSearchParams): void {
    const own = resourceOf(this.base.href);
    const named = fields.getAll('resource');
    if (named.every((resource) => isSameUrl(resource, own))) fields.delete('resource');
  }

  toProviderRequest(request: FastifyRequest): ReturnType<typeof copyForProvider> {
    return copyForProvider(request.raw, this.base, {});
  }

  /** Sends the response of oidc-provider, with the headers that `reply` already has. */
  async serve(request: FastifyRequest, reply: FastifyReply, replacements: Replacements): Promise<void> {
    reply.hijack();
    for (const [name, value] of Object.entries(reply.getHeaders())) {
      if (value !== undefined) reply.raw.setHeader(name, value);
    }
    const copy = copyForProvider(request.raw, this.base, replacements);
    await this.audit.forRequest(request, () => this.callback(copy, reply.raw));
  }
}
