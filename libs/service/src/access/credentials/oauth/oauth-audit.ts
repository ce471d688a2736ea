import { AsyncLocalStorage } from 'node:async_hooks';
import { Audit, type AuditSource } from '../../../runtime/logging/audit.js';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { KoaContextWithOIDC, Provider } from 'oidc-provider';
import type { Artifact } from '../tokens/artifacts.js';
import { TokenWrites } from '../tokens/token-writes.js';

export interface ProviderRequest extends Pick<AuditSource, 'address' | 'requestId'> {
  readonly path: string;
}

/** Writes actions of oidc-provider to the audit log, each with the request that caused it. */
@Injectable()
export class OauthAudit {
  private readonly requests = new AsyncLocalStorage<ProviderRequest>();

  constructor(
    private readonly audit: Audit,
    private readonly writes: TokenWrites,
  ) {}

  forRequest<T>({ ip, id, url }: Pick<FastifyRequest, 'ip' | 'id' | 'url'>, work: () => Promise<T>): Promise<T> {
    return this.requests.run({ address: ip, requestId: id, path: url.replace(/\?.*/, '') }, work);
  }

  get request(): ProviderRequest | undefined {
    return this.requests.getStore();
  }

  listen(provider: Provider): void {
    provider.on('grant.success', (ctx: KoaContextWithOIDC) => {
      const { Client: client, Account: account, Grant: grant } = ctx.oidc.entities;
      const type = ctx.oidc.params?.['grant_type'];
      this.writes.afterwards(() => {
        this.record('token_issued', client?.clientId, account?.accountId, grant?.jti, { grant_type: type });
      });
    });
    provider.on('authorization.success', (ctx: KoaContextWithOIDC) => {
      const { Client: client, Account: account, Grant: grant } = ctx.oidc.entities;
      this.record('code_issued', client?.clientId, account?.accountId, grant?.jti);
    });
    provider.on('grant.revoked', (ctx: KoaContextWithOIDC, grantId: string) => {
      // At the token endpoint, only the reuse of a code or token ends an authorization.
      const event = ctx.oidc.route === 'token' ? 'reuse_detected' : 'token_revoked';
      this.record(event, ctx.oidc.entities.Client?.clientId, undefined, grantId);
    });
  }

  reused(model: string, artifact: Pick<Artifact, 'client_id' | 'user_id' | 'authorization_id'> | undefined): void {
    const { client_id: actor, user_id: userId, authorization_id: subject } = artifact ?? {};
    this.record('reuse_detected', actor, userId, subject, { kind: model });
  }

  source(userId: string | null, actor: string | null = null): AuditSource {
    const { address = '', requestId = null } = this.requests.getStore() ?? {};
    return { actor, userId, address, requestId };
  }

  private record(
    event: string,
    actor: string | null | undefined,
    userId: string | null | undefined,
    subject: string | null | undefined,
    details: Readonly<Record<string, unknown>> = {},
  ): void {
    this.audit.record(event, this.source(userId ?? null, actor ?? null), subject ?? null, details);
  }
}
