import type { IdempotentCreation } from '../store/idempotency/idempotency.js';
import type { RowValues } from '../store/database/database.js';
import type { VersionedRow } from '../store/schema/versioned-row.js';

import type { CollectionDefinition, Identified } from './collection.js';
import { LANE, namedRow, SEQ } from './row-values.js';

/** A resource with the strong entity tag of its state. RFC 9110 §8.8.3 */
export interface Tagged<Resource> {
  readonly resource: Resource;
  readonly etag: string;
  /** The resource as JSON, where that costs less than to make it and write it. */
  readonly json?: string;
}

/** What a creation has made, or had made before. */
export interface Made<Resource> extends IdempotentCreation<Resource>, Tagged<Resource> {}

/** A member as a row has it: each part is made when it is needed. */
export class State<Resource extends Identified> implements Tagged<Resource> {
  constructor(
    private readonly definition: Pick<CollectionDefinition<Resource, never>, 'present' | 'write'>,
    private readonly row: VersionedRow,
  ) {}

  get resource(): Resource {
    return this.definition.present(this.row);
  }

  get json(): string {
    return this.definition.write(this.row);
  }

  get etag(): string {
    return etagOf(this.row);
  }
}

/** A member as the values of its columns were read: each part is made when it is needed. */
export class LazyRow<Resource extends Identified> implements Tagged<Resource> {
  constructor(
    private readonly definition: Pick<CollectionDefinition<Resource, never>, 'columns' | 'present' | 'writeValues'>,
    private readonly values: RowValues,
  ) {}

  get resource(): Resource {
    const { columns, present } = this.definition;
    return present(namedRow(columns, this.values));
  }

  get json(): string {
    return this.definition.writeValues(this.values);
  }

  get etag(): string {
    return etagOf({ seq: this.values[SEQ] as number, lane: this.values[LANE] as number });
  }
}

/** Of one that was just made, and is the first answer to its request. */
export class CreatedRow<Resource extends Identified> extends State<Resource> implements Made<Resource> {
  readonly replayed = false;

  constructor(
    definition: Pick<CollectionDefinition<Resource, never>, 'present' | 'write'>,
    row: VersionedRow,
    readonly location: string,
  ) {
    super(definition, row);
  }
}

/** Every write has a stamp of its own, and every stamp its own tag. */
export function etagOf({ seq, lane }: Pick<VersionedRow, 'seq' | 'lane'>): string {
  // A number takes ten times as long.
  return `"${BigInt(seq).toString(36)}-${lane.toString(36)}"`;
}
