import { RateLimitedError } from '@items/errors';
import type { FormBody } from '@items/pages';
import { Quota } from '@items/throttling';
import { Injectable } from '@nestjs/common';
import { parse } from 'basic-auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';

/** A request that its quota lets pass. */
export interface AdmittedRequest {
  /** Null where none has proved itself: oidc-provider says why. */
  readonly client: RegisteredClient | null;
  readonly form: FormBody;
}

/** Who asks at an endpoint for clients, and how often. */
@Injectable()
export class EndpointClients {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly quota: Quota,
  ) {}

  /**
   * Counts the request for the client that proves itself, else for its address: a request that merely names a client uses
   * up nothing of that client's. The body is read only where the proof may stand in it: what the header says is judged,
   * and refused, before. SPEC §8.1
   * @throws {RateLimitedError} 429 @throws {BodyTooLargeError} 413 @throws {RequestTimeoutError} 408
   */
  async admit(request: FastifyRequest, reply: FastifyReply, read: () => Promise<FormBody>): Promise<AdmittedRequest> {
    const count = (client: RegisteredClient | null): Promise<void> => this.count(request, reply, client);
    if (request.raw.headers.authorization !== undefined) {
      const client = await this.clientOf(inHeader(request));
      await count(client);
      return { client, form: await read() };
    }
    let form;
    try {
      form = await read();
    } catch (error) {
      // No client has proved itself: an address whose quota is used up is told so.
      await count(null);
      throw error;
    }
    const client = await this.clientOf(inForm(form.fields));
    await count(client);
    return { client, form };
  }

  private async clientOf([id, secret]: Proof): Promise<RegisteredClient | null> {
    return this.clients.authenticate(id, secret);
  }

  private async count(request: FastifyRequest, reply: FastifyReply, client: RegisteredClient | null): Promise<void> {
    const holder = client === null ? null : { credentialId: client.id, rateLimit: null };
    const quota = await this.quota.count(request, reply, holder);
    if (quota.exceeded) throw new RateLimitedError(quota.resetSeconds);
  }
}

type Proof = readonly [id: string, secret: string];

function inForm(form: URLSearchParams): Proof {
  return [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
}

/** RFC 6749 §2.3.1: in the header both are form-encoded. */
function inHeader({ raw }: FastifyRequest): Proof {
  const basic = parse(raw.headers.authorization ?? '');
  return basic === undefined ? ['', ''] : [decoded(basic.name), decoded(basic.pass)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
