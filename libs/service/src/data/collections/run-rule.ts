import { ValidationError } from '@items/conventions';
import { definitionOf, type DtoClass, validateChange } from '@items/fields';
import type { Transaction } from '../database/database.js';
import type { RuleCaller } from '../database/origin.js';
import type { CollectionDefinition } from '../definition/collection.js';
import type { RuleContext } from '../definition/collection-rules.js';
import type { ParentKeys } from '../definition/parent-keys.js';

/** Caller of a write without a request. */
const SYSTEM_CALLER: RuleCaller = {
  userId: null,
  credentialId: 'system',
  clientId: null,
  scopes: new Set(),
  isAdmin: true,
};

export function ruleContext(tx: Transaction, parent: ParentKeys): RuleContext {
  return { tx, caller: tx.origin?.caller ?? SYSTEM_CALLER, parent };
}

type Ruled = Pick<CollectionDefinition<never, never>, 'name' | 'settable' | 'stored'>;

export function mergeResult(
  { name, settable, stored }: Ruled,
  rule: 'create' | 'replace',
  input: object,
  result: unknown,
  parent: ParentKeys,
): object {
  const wrong = (problem: string, cause?: unknown): Error =>
    new Error(`The rule "${rule}" of "${name}" returned ${problem}`, { cause });
  if (result !== undefined && (typeof result !== 'object' || result === null || Array.isArray(result))) {
    throw wrong('something else than an object with fields.');
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
