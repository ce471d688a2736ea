import { Resolver } from 'node:dns/promises';

import { AttemptFailure } from './attempt.js';

/** Asked twice, so that an answer is there after six seconds, or is none. */
const PATIENCE = { timeout: 2000, tries: 2 };

/**
 * Looks names up by DNS itself: neither the machine's file of hosts nor its search domains have a say in where a webhook
 * leads.
 */
export class NameResolver {
  private readonly resolver = new Resolver(PATIENCE);

  /**
   * @param server `127.0.0.1:5353`; left out, those of the machine.
   * @throws {TypeError} what is no address with an optional port.
   */
  constructor(server?: string) {
    if (server !== undefined) this.resolver.setServers([server]);
  }

  /**
   * All addresses of a name, asked for anew.
   * @throws {AttemptFailure} `dns`: it has none, or nobody says so.
   */
  async addressesOf(name: string): Promise<string[]> {
    const answers = await Promise.allSettled([this.resolver.resolve4(name), this.resolver.resolve6(name)]);
    const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const cause: unknown = answers.find((answer) => answer.status === 'rejected')?.reason;
    throw new AttemptFailure('dns', `"${name}" has no address.`, { cause });
  }

  /** Ends what it waits for. */
  cancel(): void {
    this.resolver.cancel();
  }
}
