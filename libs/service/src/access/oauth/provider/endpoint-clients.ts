import { FIRST_PARTY } from '../../credentials/tokens/lifetimes.js';
import { isPublic } from '../../credentials/clients/client-rules.js';
import { RateLimitedError } from '@items/conventions';
import type { FormBody } from '../../../http/pages/form-body.js';
import { Quota, type QuotaHolder } from '@items/throttling';
import { Injectable } from '@nestjs/common';
import { parse } from 'basic-auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { loginHolder, type QuotaUse, sessionEndingHolder } from '../../throttling/quota-holders.js';
import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';
import { ShownTokens } from './shown-tokens.js';

export interface AdmittedRequest {
  /** Null if authentication failed. oidc-provider then reports the reason. */
  readonly client: RegisteredClient | null;
  readonly isProofInHeader: boolean;
  readonly form: FormBody;
}

@Injectable()
export class EndpointClients {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly tokens: ShownTokens,
    private readonly quota: Quota,
  ) {}

  /**
   * Counts the request for the authenticated client; without a secret, for the user of its valid code or token;
   * otherwise for its address. A client id alone cannot use up that client's quota. Ending a session has its own quota.
   * An invalid header is refused first; the body is read only if it may contain the credential. SPEC §8.1
   */
  async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    use: QuotaUse,
    read: () => Promise<FormBody>,
  ): Promise<AdmittedRequest> {
    const count = (holder: QuotaHolder | null): Promise<void> => this.count(request, reply, holder);
    const header = inHeader(request);
    if (header !== undefined) {
      const client = await this.clientOf(header);
      // An unauthenticated client, and one above its quota, is refused before its body is read.
      await count(client && holderOf(client));
      const form = await read();
      // The secret may have ended while the body was read.
      return { client: client && (await this.clientOf(header)), isProofInHeader: true, form };
    }
    let form;
    try {
      form = await read();
    } catch (error) {
      // Nothing in the body authenticates the client, so the request counts for its address.
      await count(null);
      throw error;
    }
    const { fields } = form;
    const proved = await this.clientOf(inForm(fields));
    await count(proved === null ? await this.userHolder(fields, use) : holderOf(proved));
    return { client: proved, isProofInHeader: false, form };
  }

  /** A public client has no proof but its id in the form. */
  async findPublic(fields: URLSearchParams): Promise<string | undefined> {
    const id = fields.get('client_id') ?? '';
    if (fields.has('client_secret')) return undefined;
    if (id === FIRST_PARTY) return id;
    const client = await this.clients.find(id);
    return client !== null && isPublic(client) ? id : undefined;
  }

  /**
   * The user of the code or token that a public client sends, if it was issued to that client. Null: the request counts
   * for the address.
   */
  private async userHolder(fields: URLSearchParams, use: QuotaUse): Promise<QuotaHolder | null> {
    const clientId = await this.findPublic(fields);
    if (clientId === undefined) return null;
    const owner = await this.tokens.ownerOf(shownIn(fields, use) ?? '');
    if (owner?.clientId !== clientId) return null;
    const { userId, authorizationId } = owner;
    if (clientId !== FIRST_PARTY) return loginHolder(userId, clientId);
    return use === 'ending' ? sessionEndingHolder(userId, authorizationId) : loginHolder(userId);
  }

  private async clientOf([id, secret]: Presented): Promise<RegisteredClient | null> {
    return this.clients.authenticate(id, secret);
  }

  private async count(request: FastifyRequest, reply: FastifyReply, holder: QuotaHolder | null): Promise<void> {
    const quota = await this.quota.count(request, reply, holder);
    if (quota.exceeded) throw new RateLimitedError(quota.resetSeconds);
  }
}

function holderOf({ id }: RegisteredClient): QuotaHolder {
  return { credentialId: id, rateLimit: null };
}

function shownIn(fields: URLSearchParams, use: QuotaUse): string | null {
  return use === 'ending' ? fields.get('token') : (fields.get('refresh_token') ?? fields.get('code'));
}

type Presented = readonly [id: string, secret: string];

function inForm(form: URLSearchParams): Presented {
  return [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
}

/** Both parts are form-encoded in the header. RFC 6749 §2.3.1 */
function inHeader({ raw }: FastifyRequest): Presented | undefined {
  const { authorization } = raw.headers;
  if (authorization === undefined) return undefined;
  const basic = parse(authorization);
  return basic === undefined ? ['', ''] : [decoded(basic.name), decoded(basic.pass)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
