import type { MaybePromise } from '@items/conventions';
import type { Transaction } from '../database/database.js';
import type { RuleCaller } from '../database/origin.js';
import type { ParentKeys } from './parent-keys.js';

export interface RuleContext {
  /** Transaction of the write. Pass it to each read and write of a rule. */
  readonly tx: Transaction;
  readonly caller: RuleCaller;
  /** Keys of the path, such as `{ user_id }`. Empty without a parent. */
  readonly parent: ParentKeys;
}

/**
 * Functions that run in the transaction of a write. They may refuse the write with an error of `@items/conventions` or
 * an `HttpException`. Fields that `create` and `replace` return are stored with the input. The transaction may run
 * again, so a rule must have no effects outside it.
 */
export interface CollectionRules<Member, Input, Settable> {
  /** Runs after the validation of the input. */
  readonly create?: (input: Input, context: RuleContext) => MaybePromise<Partial<Settable> | undefined>;
  /** Runs with the row locked and `If-Match` checked. */
  readonly replace?: (
    input: Input,
    before: Member,
    context: RuleContext,
  ) => MaybePromise<Partial<Settable> | undefined>;
  /** Runs with the row locked and `If-Match` checked. */
  readonly remove?: (before: Member, context: RuleContext) => MaybePromise<void>;
}

/**
 * Declared as methods, because methods are bivariant: rules with any input are assignable to rules with the input
 * `object`.
 */
export interface StoredRules<Member, Input> {
  create?(input: Input, context: RuleContext): unknown;
  replace?(input: Input, before: Member, context: RuleContext): unknown;
  remove?(before: Member, context: RuleContext): unknown;
}
