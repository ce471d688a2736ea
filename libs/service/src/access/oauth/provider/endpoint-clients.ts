import { Artifacts } from '../../credentials/tokens/artifacts.js';
import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { VOID } from '../../credentials/tokens/refresh-tokens.js';
import { isPublic } from '../../credentials/clients/client-rules.js';
import { RateLimitedError } from '@items/conventions';
import type { FormBody, readForm } from '../../../http/pages/form-body.js';
import { Quota, type QuotaHolder } from '@items/throttling';
import { Injectable } from '@nestjs/common';
import { parse } from 'basic-auth';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { loginHolder, type QuotaUse, sessionRevocationHolder } from '../../throttling/quota-holders.js';
import { Accounts } from '../../accounts/accounts.js';
import { type Authorization, Authorizations } from '../authorizations/authorizations.js';
import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';

/** Codes and tokens of oidc-provider and of this service are 256 bits in base64url. */
const FORM = /^[A-Za-z0-9_-]{43}$/;
const MODELS: ReadonlySet<string> = new Set(['AuthorizationCode', 'AccessToken', 'RefreshToken']);

export interface AdmittedRequest {
  /** Null if public or not authenticated. oidc-provider reports failures. */
  readonly client: RegisteredClient | null;
  readonly isSecretInHeader: boolean;
  readonly form: FormBody;
}

@Injectable()
export class EndpointClients {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly artifacts: Artifacts,
    private readonly authorizations: Authorizations,
    private readonly accounts: Accounts,
    private readonly quota: Quota,
  ) {}

  /**
   * Counts the request for the authenticated client. For a public client, counts for the user of the valid code or
   * token. Otherwise, counts for the address. A client id alone cannot use up the client's quota. Ending a first-party
   * session has a separate quota. SPEC §8.1
   */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    use: QuotaUse,
    read: typeof readForm,
  ): Promise<AdmittedRequest> {
    const count = (holder: QuotaHolder | null): Promise<void> => this.count(request, reply, holder);
    const header = basicCredentials(request);
    if (header !== undefined) {
      const client = await this.clients.authenticate(...header);
      // Refuses a client or address above its quota before reading the body.
      await count(client && clientHolder(client));
      const form = await read(request, reply);
      // The secret may have expired while the body was read.
      return { client: client && (await this.clients.authenticate(...header)), isSecretInHeader: true, form };
    }
    const form = await read(request, reply).catch(async (error: unknown) => {
      // The body is unreadable, so the request counts for its address.
      await count(null);
      throw error;
    });
    const { fields } = form;
    const client = await this.clients.authenticate(fields.get('client_id') ?? '', fields.get('client_secret') ?? '');
    await count(client === null ? await this.userHolder(fields, use) : clientHolder(client));
    return { client, isSecretInHeader: false, form };
  }

  /** Returns the client id of a public client, which cannot authenticate. */
  async findPublic(fields: URLSearchParams): Promise<string | undefined> {
    const id = fields.get('client_id') ?? '';
    if (fields.has('client_secret')) return undefined;
    if (id === FIRST_PARTY) return id;
    const client = await this.clients.find(id);
    return client !== null && isPublic(client) ? id : undefined;
  }

  /** Finds the user of a public client's code or token. Returns null if the request counts for the address. */
  private async userHolder(fields: URLSearchParams, use: QuotaUse): Promise<QuotaHolder | null> {
    const clientId = await this.findPublic(fields);
    if (clientId === undefined) return null;
    const authorization = await this.authorizationOf(codeOrTokenIn(fields, use) ?? '');
    if (authorization?.client_id !== clientId) return null;
    const { id, user_id: userId } = authorization;
    if (clientId !== FIRST_PARTY) return loginHolder(userId, clientId);
    return use === 'revocation' ? sessionRevocationHolder(userId, id) : loginHolder(userId);
  }

  /** @returns Undefined if the code or token is unknown, used up or expired. */
  private async authorizationOf(value: string): Promise<Authorization | undefined> {
    const artifact = FORM.test(value) ? await this.artifacts.find(value) : undefined;
    if (artifact === undefined || !MODELS.has(artifact.model)) return undefined;
    const isUsedUp = artifact.consumed_at !== null && artifact.model !== 'AccessToken';
    if (isUsedUp || artifact.consumed_at === VOID || artifact.expires_at <= Date.now()) return undefined;
    const authorization = await this.authorizations.find(artifact.authorization_id ?? '');
    if (authorization === undefined) return undefined;
    const account = await this.accounts.findEnabled(authorization.user_id, authorization.credentials_version);
    return account && authorization;
  }

  private async count(request: FastifyRequest, reply: FastifyReply, holder: QuotaHolder | null): Promise<void> {
    const quota = await this.quota.count(request, reply, holder);
    if (quota.exceeded) throw new RateLimitedError(quota.resetSeconds);
  }
}

function clientHolder({ id }: RegisteredClient): QuotaHolder {
  return { credentialId: id, rateLimit: null };
}

function codeOrTokenIn(fields: URLSearchParams, use: QuotaUse): string | null {
  return use === 'revocation' ? fields.get('token') : (fields.get('refresh_token') ?? fields.get('code'));
}

/** Id and secret are form-encoded in the header. RFC 6749 §2.3.1 */
function basicCredentials({ raw }: FastifyRequest): readonly [id: string, secret: string] | undefined {
  const { authorization } = raw.headers;
  if (authorization === undefined) return undefined;
  const basic = parse(authorization);
  return basic === undefined ? ['', ''] : [formDecoded(basic.name), formDecoded(basic.pass)];
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
