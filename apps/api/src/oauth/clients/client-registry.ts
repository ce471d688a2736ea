import type { Client } from '@items/contracts';
import { ResourceNotFoundError } from '@items/errors';
import { Inject, Injectable } from '@nestjs/common';

import { isSameHash } from '../../auth/api-key/secret.js';
import { collectionToken } from '../../collections/collections.module.js';
import { Database } from '../../database/database.js';
import { hashed } from '../tokens/hashed.js';
import { LookUps } from '../../caching/look-ups.js';
import type { ClientsCollection } from './client.collection.js';
import { liveSecretHashes } from './client-secrets.js';

/** A client with what proves that somebody is it. */
export interface RegisteredClient extends Client {
  /** SHA-256 of each secret that it may use now. */
  readonly secretHashes: readonly string[];
}

/** The clients as they were at most 5 s ago; what this process changes is seen at once. */
@Injectable()
export class ClientRegistry {
  private readonly known: LookUps<RegisteredClient>;

  constructor(
    private readonly database: Database,
    @Inject(collectionToken('clients')) private readonly clients: ClientsCollection,
  ) {
    this.known = new LookUps((id) => this.read(id));
  }

  /** @param id anything. At once, without a promise, where it is known. */
  find(id: string): RegisteredClient | null | Promise<RegisteredClient | null> {
    return this.known.get(id);
  }

  /** @returns the client whose secret this is; null otherwise, and for the built-in client, which has none. */
  async authenticate(id: string, secret: string): Promise<RegisteredClient | null> {
    const client = await this.find(id);
    return client !== null && hasSecret(client, secret) ? client : null;
  }

  /** A client was changed or removed. */
  forget(): void {
    this.known.clear();
  }

  private async read(id: string): Promise<RegisteredClient | null> {
    try {
      const { resource } = await this.clients.get(id);
      return { ...resource, secretHashes: await liveSecretHashes(this.database, id) };
    } catch (error) {
      if (error instanceof ResourceNotFoundError) return null;
      throw error;
    }
  }
}

/** Compares with every secret in constant time. */
export function hasSecret({ secretHashes }: Pick<RegisteredClient, 'secretHashes'>, secret: string): boolean {
  const presented = hashed(secret);
  return secretHashes.filter((hash) => isSameHash(hash, presented)).length > 0;
}
