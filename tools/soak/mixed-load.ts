import { setTimeout as sleep } from 'node:timers/promises';

import { PlainClient } from '@items/testing';

/** Maximum number of items per client. Older ones are deleted. */
const KEPT = 100;
const PAUSE_MS = 5;

/** Typical requests of clients: writes, reads, walks, the feed, and many refused requests. */
export class MixedLoad {
  readonly address: string;
  readonly key: string;
  #done: Promise<unknown> | undefined;
  requests = 0;
  /** Number of 503 responses, which may occur on a busy machine. */
  unavailable = 0;
  /** Numbers of unexpected responses, by description. */
  unexpected = new Map<string, number>();
  #isStopped = false;

  constructor(address: string, key: string) {
    this.address = address;
    this.key = key;
  }

  start(clients: number) {
    this.#done = Promise.all(Array.from({ length: clients }, (_, client) => this.#run(client)));
  }

  async stop() {
    this.#isStopped = true;
    await this.#done;
  }

  async #run(number: number) {
    const client = new PlainClient(this.address, this.key);
    const ids: string[] = [];
    for (let n = 0; !this.#isStopped; n += 1) {
      await this.#round(client, ids, `${number}-${n}`);
      await sleep(PAUSE_MS);
    }
  }

  async #round(client: PlainClient, ids: string[], name: string) {
    const json = { name, color: `color-${name.length % 5}`, price: ids.length };
    const made = await this.#send(client, [201], 'POST', '/items', { json, headers: { 'idempotency-key': name } });
    if (made?.id === undefined) return;
    ids.push(String(made.id));
    const [oldest = ''] = ids;
    await this.#send(client, [200], 'PUT', `/items/${oldest}`, { json: { ...json, name: `${name}-again` } });
    await this.#send(client, [200], 'GET', `/items/${oldest}`);
    await this.#send(client, [200], 'GET', '/items?page=2&per_page=10&color=color-1&sort=-price,name');
    const first = await this.#send(client, [200], 'GET', '/items?limit=5&sort=-updated_at');
    const cursor = encodeURIComponent(String(first?.next_cursor ?? ''));
    if (cursor !== '') await this.#send(client, [200], 'GET', `/items?limit=5&sort=-updated_at&cursor=${cursor}`);
    await this.#send(client, [200], 'GET', '/events?limit=5');
    if (ids.length > KEPT) await this.#send(client, [204, 404], 'DELETE', `/items/${ids.shift()}`);
    // Refused requests with new names must not leak memory either.
    await this.#send(client, [401], 'GET', '/items', { headers: { 'x-api-key': `wrong-${name}` } });
    await this.#send(client, [404], 'GET', `/items/${name}`);
    await this.#send(client, [404], 'GET', `/nothing/${name}`);
    await this.#send(client, [422], 'POST', '/items', { json: { [`field-${name}`]: name } });
    await this.#send(client, [400], 'GET', `/items?${name}=1`);
  }

  async #send(client: PlainClient, expected: readonly number[], ...request: Parameters<PlainClient['send']>) {
    const { status, reason, body } = await client.send(...request);
    this.requests += 1;
    if (status === 503) this.unavailable += 1;
    else if (!expected.includes(status)) {
      const what = `${request[0]} ${request[1].replace(/[\d-]+/g, '…')}: ${reason ?? status}`;
      this.unexpected.set(what, (this.unexpected.get(what) ?? 0) + 1);
    }
    return status === 503 ? undefined : body;
  }
}
