import { type MaybePromise, thenMaybe } from '@items/conventions';

import type { Database, Transaction } from '../database/database.js';
import type { Origin, RuleCaller } from '../database/origin.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, Fields, Identified, Values } from '../definition/collection.js';
import type { ParentKeys } from '../definition/parent-keys.js';
import type { IdempotentCreation } from '../idempotency/idempotency.js';
import type { RowStore } from '../writes/row-store.js';
import type { CreationRequest, Precondition } from './write-options.js';
import { mergeResult, ruleContext } from './run-rule.js';
import { etagOf, type Tagged, WrittenRow } from './tagged.js';

/** Steps of ruled writes that the writes without rules have, too. */
interface Steps<Resource extends Identified, Hidden> {
  /** @throws {ResourceNotFoundError} 404 */
  readonly known: (row: VersionedRow | undefined, parent: ParentKeys) => VersionedRow;
  /** @throws {ResourceNotFoundError} 404: the parent was deleted. */
  readonly insert: (
    tx: Transaction,
    fields: Fields<Resource, Hidden>,
    caller: RuleCaller | undefined,
  ) => Promise<Tagged<Resource>>;
  readonly createOnce: (
    work: (tx: Transaction) => Promise<Tagged<Resource>>,
    request: CreationRequest,
  ) => Promise<IdempotentCreation<Resource>>;
  /** Returns the error of a failed write. */
  readonly refusalOf: (error: unknown, row: () => Values) => Promise<unknown>;
}

/** Writes of a collection with rules. Each rule runs in the transaction of its write. */
export class RuledWrites<Resource extends Identified, Input, Hidden> {
  constructor(
    private readonly database: Database,
    private readonly definition: CollectionDefinition<Resource, Input, Hidden>,
    private readonly rows: RowStore,
    private readonly steps: Steps<Resource, Hidden>,
  ) {}

  async create(input: Input, keys: ParentKeys, request: CreationRequest): Promise<IdempotentCreation<Resource>> {
    const { definition, steps } = this;
    let fields: Fields<Resource, Hidden> = {};
    const work = async (tx: Transaction): Promise<Tagged<Resource>> => {
      const result = await definition.rules?.create?.(input, ruleContext(tx, keys));
      fields = mergeResult(definition, 'create', input as object, result, keys);
      return steps.insert(tx, fields, request.origin?.caller);
    };
    try {
      return await steps.createOnce(work, request);
    } catch (error) {
      throw await steps.refusalOf(error, () => definition.storeNew(fields));
    }
  }

  async replace(
    id: string,
    input: Input,
    precondition: Precondition,
    keys: ParentKeys,
    origin: Origin | undefined,
  ): Promise<Tagged<Resource>> {
    const { definition } = this;
    let after: Values = {};
    const work = async (tx: Transaction): Promise<VersionedRow> => {
      const before = await this.lockBefore(tx, id, precondition, keys);
      const result = await definition.rules?.replace?.(input, before, ruleContext(tx, keys));
      const values = definition.store(mergeResult(definition, 'replace', input as object, result, keys));
      // The rule may have changed the member, too.
      const current = await this.lock(tx, id, keys);
      after = { ...current, ...values };
      return this.rows.update(tx, current, values, undefined, origin?.caller);
    };
    try {
      return new WrittenRow(definition, await this.database.transaction(work, origin));
    } catch (error) {
      throw await this.steps.refusalOf(error, () => after);
    }
  }

  async remove(id: string, precondition: Precondition, keys: ParentKeys, origin: Origin | undefined): Promise<void> {
    await this.database.transaction(async (tx) => {
      const before = await this.lockBefore(tx, id, precondition, keys);
      await this.definition.rules?.remove?.(before, ruleContext(tx, keys));
      return this.rows.remove(tx, await this.lock(tx, id, keys));
    }, origin);
  }

  private async lockBefore(
    tx: Transaction,
    id: string,
    precondition: Precondition,
    keys: ParentKeys,
  ): Promise<Resource> {
    const row = await this.lock(tx, id, keys);
    precondition?.(etagOf(row, this.definition));
    return this.definition.present(row);
  }

  private lock(tx: Transaction, id: string, keys: ParentKeys): MaybePromise<VersionedRow> {
    return thenMaybe(this.rows.lock(tx, id), (row) => this.steps.known(row, keys));
  }
}
