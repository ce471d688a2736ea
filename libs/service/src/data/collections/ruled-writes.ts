import { type MaybePromise, thenMaybe, ValidationError } from '@items/conventions';
import { definitionOf, type DtoClass, validateChange } from '@items/fields';
import type { Database, Transaction } from '../database/database.js';
import type { Origin, RuleCaller } from '../database/origin.js';
import type { VersionedRow } from '../database/versioned-row.js';
import type { CollectionDefinition, Fields, HasId, Values } from '../definition/collection.js';
import type { RuleContext } from '../definition/collection-rules.js';
import type { ParentKeys } from '../definition/parent-keys.js';
import type { IdempotentCreation } from '../idempotency/idempotency.js';
import type { RowStore } from '../writes/row-store.js';
import type { CreationRequest, Precondition } from './write-options.js';
import { etagOf, type Tagged, WrittenRow } from './tagged.js';

interface Steps<Resource extends HasId, Hidden> {
  /** @throws {ResourceNotFoundError} 404 */
  readonly requireFound: (row: VersionedRow | undefined, parentKeys: ParentKeys) => VersionedRow;
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
  readonly refusalOf: (error: unknown, write: RefusedWrite) => Promise<unknown>;
}

export interface RefusedWrite {
  readonly row: () => Values;
  readonly before?: VersionedRow | undefined;
  readonly caller?: RuleCaller | undefined;
  readonly isThrownByRule?: boolean;
}

class RuleRun {
  private thrown: unknown;

  async run<Result>(rule: () => Result): Promise<Awaited<Result>> {
    try {
      return await rule();
    } catch (error) {
      this.thrown = error;
      throw error;
    }
  }

  threw(error: unknown): boolean {
    return error !== undefined && error === this.thrown;
  }
}

export class RuledWrites<Resource extends HasId, Input, Hidden> {
  constructor(
    private readonly database: Database,
    private readonly definition: CollectionDefinition<Resource, Input, Hidden>,
    private readonly rows: RowStore,
    private readonly steps: Steps<Resource, Hidden>,
  ) {}

  async create(input: Input, keys: ParentKeys, request: CreationRequest): Promise<IdempotentCreation<Resource>> {
    const { definition, steps } = this;
    const rule = new RuleRun();
    let fields: Fields<Resource, Hidden> = {};
    const work = async (tx: Transaction): Promise<Tagged<Resource>> => {
      fields = { ...(input as Fields<Resource, Hidden>), ...keys };
      const result = await rule.run(() => definition.rules?.create?.(input, ruleContext(tx, keys)));
      fields = mergeResult(definition, 'create', input as object, result, keys);
      return steps.insert(tx, fields, request.origin?.caller);
    };
    try {
      return await steps.createOnce(work, request);
    } catch (error) {
      const caller = request.origin?.caller;
      const isThrownByRule = rule.threw(error);
      throw await steps.refusalOf(error, { row: () => definition.storeNew(fields), caller, isThrownByRule });
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
    const rule = new RuleRun();
    let before: VersionedRow | undefined;
    let after: Values = {};
    const work = async (tx: Transaction): Promise<VersionedRow> => {
      const row = await this.lock(tx, id, keys);
      before = row;
      after = { ...row, ...definition.store({ ...(input as Fields<Resource, Hidden>), ...keys }) };
      precondition?.(etagOf(row, definition));
      const context = ruleContext(tx, keys);
      const result = await rule.run(() => definition.rules?.replace?.(input, definition.present(row), context));
      const values = definition.store(mergeResult(definition, 'replace', input as object, result, keys));
      // Reads again, because the rule may have changed the member.
      const current = await this.lock(tx, id, keys);
      after = { ...current, ...values };
      return this.rows.update(tx, current, values, undefined, origin?.caller);
    };
    try {
      return new WrittenRow(definition, await this.database.transaction(work, origin));
    } catch (error) {
      const isThrownByRule = rule.threw(error);
      throw await this.steps.refusalOf(error, { row: () => after, before, caller: origin?.caller, isThrownByRule });
    }
  }

  async remove(id: string, precondition: Precondition, keys: ParentKeys, origin: Origin | undefined): Promise<void> {
    const { definition } = this;
    const rule = new RuleRun();
    const work = async (tx: Transaction): Promise<void> => {
      const row = await this.lock(tx, id, keys);
      precondition?.(etagOf(row, definition));
      await rule.run(() => definition.rules?.remove?.(definition.present(row), ruleContext(tx, keys)));
      await this.rows.remove(tx, await this.lock(tx, id, keys));
    };
    try {
      await this.database.transaction(work, origin);
    } catch (error) {
      throw (rule.threw(error) ? await this.rows.referencedError(id) : undefined) ?? error;
    }
  }

  private lock(tx: Transaction, id: string, keys: ParentKeys): MaybePromise<VersionedRow> {
    return thenMaybe(this.rows.lock(tx, id), (row) => this.steps.requireFound(row, keys));
  }
}

const SYSTEM_CALLER: RuleCaller = {
  userId: null,
  credentialId: 'system',
  clientId: null,
  scopes: new Set(),
  isAdmin: true,
};

function ruleContext(tx: Transaction, parent: ParentKeys): RuleContext {
  return { tx, caller: tx.origin?.caller ?? SYSTEM_CALLER, parent };
}

type Ruled = Pick<CollectionDefinition<never, never>, 'name' | 'settable' | 'stored'>;

function mergeResult(
  { name, settable, stored }: Ruled,
  rule: 'create' | 'replace',
  input: object,
  result: unknown,
  parent: ParentKeys,
): object {
  const wrong = (problem: string, cause?: unknown): Error =>
    new Error(`The rule "${rule}" of "${name}" returned ${problem}`, { cause });
  if (result !== undefined && (typeof result !== 'object' || result === null || Array.isArray(result))) {
    throw wrong('something other than an object with fields.');
  }
  const set = Object.entries(result ?? {}).filter(([, value]) => value !== undefined);
  const unknown = set.find(([field]) => settable?.has(field) !== true);
  if (unknown !== undefined) throw wrong(`"${unknown[0]}", which is not a field that it can set.`);
  if (stored === undefined) return { ...input, ...parent };
  const member = { ...input, ...validated(stored, Object.fromEntries(set), wrong), ...parent };
  const missing = rule === 'create' ? missingIn(stored, member) : undefined;
  if (missing !== undefined) throw wrong(`no "${missing}", which a new member needs.`);
  return member;
}

function validated(stored: DtoClass, set: object, wrong: (problem: string, cause: unknown) => Error): object {
  try {
    return validateChange(stored, set);
  } catch (error) {
    throw error instanceof ValidationError ? wrong(`an invalid member: ${error.message}`, error) : error;
  }
}

function missingIn(stored: DtoClass, member: object): string | undefined {
  const given = member as Readonly<Record<string, unknown>>;
  for (const [name, { absence, nested }] of definitionOf(stored).fields) {
    const value = given[name];
    if (absence === 'refused' && value === undefined) return name;
    if (nested === undefined || value === undefined || value === null) continue;
    for (const part of [value].flat() as readonly object[]) {
      const missing = missingIn(nested(), part);
      if (missing !== undefined) return `${name}.${missing}`;
    }
  }
  return undefined;
}
