import { Resolver } from 'node:dns/promises';

import { AttemptFailure } from './attempt.js';

/** Two tries, so that a look-up ends within six seconds. */
const LIMITS = { timeout: 2000, tries: 2 };

/** Looks up names directly in the DNS: the machine's hosts file and search domains must not redirect webhooks. */
export class NameResolver {
  private readonly active = new Set<Resolver>();

  /**
   * @param server `127.0.0.1:5353`, for example. Default: the servers of the machine.
   * @throws {TypeError} the server is not an address with an optional port.
   */
  constructor(private readonly server?: string) {
    this.newResolver();
  }

  /**
   * Each look-up has a new resolver (40 µs), because resolvers of Node 22.16 cache responses.
   * @throws {AttemptFailure} `dns`: the name has no address, or no server responds.
   */
  async addressesOf(name: string): Promise<string[]> {
    const resolver = this.newResolver();
    this.active.add(resolver);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    this.active.delete(resolver);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const cause: unknown = answers.find((answer) => answer.status === 'rejected')?.reason;
    throw new AttemptFailure('dns', `"${name}" has no address.`, { cause });
  }

  cancel(): void {
    for (const resolver of this.active) resolver.cancel();
  }

  private newResolver(): Resolver {
    const resolver = new Resolver(LIMITS);
    if (this.server !== undefined) resolver.setServers([this.server]);
    return resolver;
  }
}
