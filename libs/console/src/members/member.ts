import type { Event, ItemsClient } from '@items/client';

import type { Collection } from '../document/collection.js';
import { Store } from '../parts/store.js';
import { idOf, type Row } from '../service/row.js';

export interface MemberState {
  readonly row: Row | undefined;
  /** ETag of `row`, for `If-Match`. */
  readonly etag: string | undefined;
  readonly error: unknown;
  /** A newer version exists. */
  readonly isStale: boolean;
}

/** A member with the version that was read. */
export class Member {
  readonly state = new Store<MemberState>({ row: undefined, etag: undefined, error: undefined, isStale: false });

  /** @param path Of the service: that of the list and the id. */
  constructor(
    private readonly client: ItemsClient,
    readonly collection: Collection,
    readonly path: string,
  ) {}

  async load(): Promise<void> {
    try {
      const { data, etag } = await this.read();
      this.show(data, etag);
    } catch (error) {
      this.state.set({ ...this.state.value, error });
    }
  }

  /** Reads the newest version, without showing it. */
  async read(): Promise<{ readonly data: Row; readonly etag: string | undefined }> {
    const [list, id] = this.#parts();
    // Without an operation that reads one member, it is looked for in the list.
    if (this.collection.get === undefined) return { data: await this.#find(list, id), etag: undefined };
    return this.client.collection<Row>(list).get(id).withResponse();
  }

  async replace(input: Row, ifMatch: string | undefined): Promise<void> {
    const [list, id] = this.#parts();
    const condition = ifMatch === undefined ? {} : { ifMatch };
    const { data, etag } = await this.client.collection<Row, Row>(list).replace(id, input, condition).withResponse();
    this.show(data, etag);
  }

  async remove(): Promise<void> {
    const [list, id] = this.#parts();
    await this.client.collection<Row>(list).delete(id);
  }

  show(row: Row, etag: string | undefined): void {
    this.state.set({ row, etag, error: undefined, isStale: false });
  }

  /** Notices a change of the member; its own come as well, with the time that is shown already. */
  apply({ type, data }: Event): void {
    const { row } = this.state.value;
    const changed = data.object as unknown as Row;
    if (row === undefined || !type.startsWith(`${this.collection.singular}.`) || idOf(changed) !== idOf(row)) return;
    if (changed['updated_at'] !== row['updated_at']) this.state.set({ ...this.state.value, isStale: true });
  }

  async #find(list: string, id: string): Promise<Row> {
    for await (const row of this.client.collection<Row>(list).walk()) {
      if (idOf(row) === id) return row;
    }
    throw new Error('There is no such member, or it has ended.');
  }

  #parts(): [string, string] {
    const cut = this.path.lastIndexOf('/');
    return [this.path.slice(1, cut), this.path.slice(cut + 1)];
  }
}
