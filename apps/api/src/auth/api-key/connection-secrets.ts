/** A secret as it is stored. */
export interface HashedSecret {
  readonly hash: string;
  /** Whether it has the form of an API key; all others may be the admin key alone. */
  readonly isOfForm: boolean;
  /** What it was compared with, where it was found to be the admin key. */
  matched?: object;
}

interface Said {
  readonly secret: string;
  readonly hashed: HashedSecret;
}

/**
 * What the last secret on each connection is hashed: most clients send the same one with each request, and to hash it costs
 * more than all else that is asked about a known key. It is kept as long as Node itself keeps the headers of a connection's
 * last request, and no longer. Whether it is valid is not known here.
 */
export class ConnectionSecrets {
  private readonly last = new WeakMap<object, Said>();

  /** @param hash makes it, where another one was said before. */
  hashed(connection: object, secret: string, hash: (secret: string) => HashedSecret): HashedSecret {
    const last = this.last.get(connection);
    if (last?.secret === secret) return last.hashed;
    const hashed = hash(secret);
    this.last.set(connection, { secret, hashed });
    return hashed;
  }
}
