interface Said<T> {
  readonly credential: string;
  readonly made: T;
}

/**
 * What was made of the last credential on each connection, such as its hash: most clients send the same one with each
 * request, and to read it anew costs more than all else that is asked about a known one. It is kept as long as Node itself
 * keeps the headers of a connection's last request, and no longer. Whether it is valid is not known here.
 */
export class PerConnectionMemo<T> {
  private readonly last = new WeakMap<object, Said<T>>();

  /** @param make depends on nothing but the credential. */
  constructor(private readonly make: (credential: string) => T) {}

  /** @param connection that brought it, as an object of any kind. */
  of(connection: object, credential: string): T {
    const last = this.last.get(connection);
    if (last?.credential === credential) return last.made;
    const made = this.make(credential);
    this.last.set(connection, { credential, made });
    return made;
  }
}
