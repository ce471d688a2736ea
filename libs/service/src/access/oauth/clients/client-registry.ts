import { type LookUps, LookUpCache } from '../../../data/caching/look-up-cache.js';
import type { Client } from '@items/dtos/contract';
import { isClientSecret, liveSecretHashes } from '../../credentials/clients/client-secrets.js';
import { hashSecret, isSameHash } from '../../credentials/secrets/secret.js';
import { type MaybePromise, ResourceNotFoundError } from '@items/conventions';
import { type CollectionOf, InjectCollection } from '../../../http/nest/collection-token.js';
import { Database } from '../../../data/database/database.js';
import { isRowId } from '../../../data/schema/row-id.js';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../runtime/config/config.js';
import { isIssuerTrusted } from '../../../runtime/issuers/trusted-issuer.js';
import { clientCollection, type HiddenClient } from './client.collection.js';

const ISSUER = 'SELECT issuer FROM clients WHERE id = $1';

export interface RegisteredClient extends Client {
  readonly secretHashes: readonly string[];
  readonly issuer: string | null;
}

/** Caches clients for at most 5 s. Changes by this process are visible immediately. */
@Injectable()
export class ClientRegistry {
  private readonly known = new LookUpCache<RegisteredClient>();

  constructor(
    private readonly database: Database,
    @InjectCollection(clientCollection) private readonly clients: CollectionOf<typeof clientCollection>,
    @Inject(CONFIG) private readonly config: Pick<Config, 'oauthIssuers'>,
  ) {}

  get lookUps(): LookUps {
    return this.known.lookUps;
  }

  /** Neither queries nor caches malformed ids, because invented ids would fill the memory. */
  find(id: string): MaybePromise<RegisteredClient | null> {
    return isRowId(id) ? this.known.get(id, () => this.read(id)) : null;
  }

  /** @returns Null for a wrong secret, and for the built-in client, which has no secret. */
  async authenticate(id: string, secret: string): Promise<RegisteredClient | null> {
    const client = isClientSecret(secret) ? await this.find(id) : null;
    return client !== null && hasSecret(client, secret) ? client : null;
  }

  forget(): void {
    this.known.clear();
  }

  /** @returns Null for an unknown client, and for a client whose issuer is no longer trusted. */
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

/** Compares with every secret, so that the time is constant. */
function hasSecret({ secretHashes }: Pick<RegisteredClient, 'secretHashes'>, secret: string): boolean {
  const presented = hashSecret(secret);
  return secretHashes.filter((hash) => isSameHash(hash, presented)).length > 0;
}
