import type { IdempotentCreation } from '../idempotency/idempotency.js';
import type { RowValues } from '../database/database.js';
import { LANE, namedRow, SEQ, type VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, HasId } from '../definition/collection.js';

/** A resource with its strong entity tag. RFC 9110 §8.8.3 */
export interface Tagged<Resource> {
  readonly resource: Resource;
  readonly etag: string;
  /** Present if this JSON costs less than serializing `resource`. */
  readonly json?: string;
}

export interface Created<Resource> extends IdempotentCreation<Resource>, Tagged<Resource> {}

type Shown<Resource extends HasId> = Pick<
  CollectionDefinition<Resource, never>,
  'columns' | 'present' | 'toJson' | 'valuesToJson' | 'representation'
>;

export class WrittenRow<Resource extends HasId> implements Tagged<Resource> {
  readonly etag: string;
  readonly json: string;

  constructor(
    private readonly definition: Shown<Resource>,
    private readonly row: VersionedRow,
  ) {
    this.etag = etagOf(row, definition);
    this.json = definition.toJson(row);
  }

  get resource(): Resource {
    return this.definition.present(this.row);
  }
}

export class LazyRow<Resource extends HasId> implements Tagged<Resource> {
  constructor(
    private readonly definition: Shown<Resource>,
    private readonly values: RowValues,
  ) {}

  get resource(): Resource {
    const { columns, present } = this.definition;
    return present(namedRow(columns, this.values));
  }

  get json(): string {
    return this.definition.valuesToJson(this.values);
  }

  get etag(): string {
    return etagOf({ seq: this.values[SEQ] as number, lane: this.values[LANE] as number }, this.definition);
  }
}

export class CreatedRow<Resource extends HasId> extends WrittenRow<Resource> implements Created<Resource> {
  readonly replayed = false;

  constructor(
    definition: Shown<Resource>,
    row: VersionedRow,
    readonly location: string,
  ) {
    super(definition, row);
  }
}

/**
 * Each write has its own stamp (`seq`, `lane`) and so its own tag. `representation` differs if another version of the
 * service has other fields.
 */
export function etagOf(
  { seq, lane }: Pick<VersionedRow, 'seq' | 'lane'>,
  { representation }: { readonly representation: string },
): string {
  // `toString(36)` of a BigInt is ten times as fast as of a number of this size.
  return `"${BigInt(seq).toString(36)}-${lane.toString(36)}-${representation}"`;
}
