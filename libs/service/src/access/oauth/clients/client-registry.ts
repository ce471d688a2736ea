import { type LookUps, LookUpCache } from '../../../data/caching/look-up-cache.js';
import type { Client } from '@items/dtos/contract';
import { hashed } from '../../credentials/tokens/hashed.js';
import { isClientSecret, liveSecretHashes } from '../../credentials/clients/client-secrets.js';
import { isSameHash } from '../../credentials/secrets/secret.js';
import { type MaybePromise, ResourceNotFoundError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Database } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import { Inject, Injectable } from '@nestjs/common';

import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { isIssuerTrusted } from '../../../runtime/issuers/trusted-issuer.js';
import { clientCollection, type HiddenClient } from './client.collection.js';

const ISSUER = 'SELECT issuer FROM clients WHERE id = $1';

/** A client with what proves that somebody is it. */
export interface RegisteredClient extends Client {
  /** SHA-256 of each secret that it may use now. */
  readonly secretHashes: readonly string[];
  /** The issuer whose token created it; null for any other credential. */
  readonly issuer: string | null;
}

/** The clients as they were at most 5 s ago; what this process changes is seen at once. */
@Injectable()
export class ClientRegistry {
  private readonly known = new LookUpCache<RegisteredClient>();

  constructor(
    private readonly database: Database,
    @InjectCollection(clientCollection) private readonly clients: CollectionOf<typeof clientCollection>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'oauthIssuers'>,
  ) {}

  /** For those who watch. */
  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  /**
   * At once, without a promise, where it is known, and for what can be no id: that is neither looked up nor remembered,
   * or a stranger's long inventions would fill the memory.
   * @param id anything.
   */
  find(id: string): MaybePromise<RegisteredClient | null> {
    return isRowId(id) ? this.known.get(id, () => this.read(id)) : null;
  }

  /** @returns the client whose secret this is; null otherwise, and for the built-in client, which has none. */
  async authenticate(id: string, secret: string): Promise<RegisteredClient | null> {
    const client = isClientSecret(secret) ? await this.find(id) : null;
    return client !== null && hasSecret(client, secret) ? client : null;
  }

  /** A client was changed or removed. */
  forget(): void {
    this.known.clear();
  }

  /** @returns null also for a client of an issuer that is no longer configured. */
  private async read(id: string): Promise<RegisteredClient | null> {
    try {
      const { resource } = await this.clients.get(id);
      const [{ issuer } = { issuer: null }] = await this.database.query<HiddenClient>(ISSUER, [id]);
      if (!isIssuerTrusted(issuer, this.config.oauthIssuers)) return null;
      return { ...resource, issuer, secretHashes: await liveSecretHashes(this.database, id) };
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
