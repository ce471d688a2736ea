import { Resolver } from 'node:dns/promises';

import { AttemptFailure } from './attempt.js';

/** Asked twice, so that an answer is there after six seconds, or is none. */
const PATIENCE = { timeout: 2000, tries: 2 };

/**
 * Looks names up by DNS itself: neither the machine's file of hosts nor its search domains have a say in where a webhook
 * leads.
 */
export class NameResolver {
  private readonly asking = new Set<Resolver>();

  /**
   * @param server `127.0.0.1:5353`; left out, those of the machine.
   * @throws {TypeError} what is no address with an optional port.
   */
  constructor(private readonly server?: string) {
    this.newResolver();
  }

  /**
   * All addresses of a name, asked for anew: a resolver of Node 22.16 caches answers, so each look-up has its own (40 µs).
   * @throws {AttemptFailure} `dns`: it has none, or no server answers.
   */
  async addressesOf(name: string): Promise<string[]> {
    const resolver = this.newResolver();
    this.asking.add(resolver);
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    this.asking.delete(resolver);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const cause: unknown = answers.find((answer) => answer.status === 'rejected')?.reason;
    throw new AttemptFailure('dns', `"${name}" has no address.`, { cause });
  }

  /** Ends what it waits for. */
  cancel(): void {
    for (const resolver of this.asking) resolver.cancel();
  }

  private newResolver(): Resolver {
    const resolver = new Resolver(PATIENCE);
    if (this.server !== undefined) resolver.setServers([this.server]);
    return resolver;
  }
}
