import { RateLimitedError } from '@items/errors';
import { Injectable } from '@nestjs/common';
import { parse } from 'basic-auth';
import type { FastifyReply, FastifyRequest } from 'fastify';

import { Quota } from '../../throttling/quota.js';
import { ClientRegistry, type RegisteredClient } from '../clients/client-registry.js';

/** Who asks at an endpoint for clients, and how often. */
@Injectable()
export class EndpointClients {
  constructor(
    private readonly clients: ClientRegistry,
    private readonly quota: Quota,
  ) {}

  /**
   * Counts the request for the client that proves itself, else for its address: whoever merely names a client uses up
   * nothing of that client's. decisions §8
   * @returns the client; null where none has proved itself: oidc-provider says why.
   * @throws {RateLimitedError} 429
   */
  async admit(request: FastifyRequest, reply: FastifyReply, form: URLSearchParams): Promise<RegisteredClient | null> {
    const [id, secret] = presented(request, form);
    const client = secret === '' ? null : await this.clients.authenticate(id, secret);
    const holder = client === null ? null : { credentialId: client.id, rateLimit: null };
    const standing = await this.quota.count(request, reply, holder);
    if (standing.exceeded) throw new RateLimitedError(standing.resetSeconds);
    return client;
  }
}

/** RFC 6749 §2.3.1: in the header both are form-encoded. */
function presented({ raw }: FastifyRequest, form: URLSearchParams): readonly [id: string, secret: string] {
  const basic = parse(raw.headers.authorization ?? '');
  if (basic === undefined) return [form.get('client_id') ?? '', form.get('client_secret') ?? ''];
  return [decoded(basic.name), decoded(basic.pass)];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
}
