import type { CollectionEvents } from '../../data/definition/change-recorder.js';
import { type CollectionDefinition, type HasId, type Method, METHODS } from '../../data/definition/collection.js';
import { definitionOf, type DtoClass } from '@items/fields';

import { StartRefusedError } from '../../data/definition/start-refused.js';

/** @throws {StartRefusedError} The name of an operation is unknown or repeated. */
export function servedMethods(collection: string, methods: readonly Method[]): readonly Method[] {
  const wrong = methods.find((method, index) => !METHODS.includes(method) || methods.indexOf(method) !== index);
  if (wrong === undefined) return methods;
  throw new StartRefusedError(
    `methods of "${collection}" names "${wrong}": it takes each of ${METHODS.join(', ')} once.`,
  );
}

/** @throws {StartRefusedError} The operation of a rule is not served, so the rule would never run. */
export function servedRules<Rules extends object>(
  collection: string,
  rules: Rules,
  methods: readonly Method[] = METHODS,
): Rules {
  const unserved = Object.keys(rules).find(
    (name) => !RULED.has(name) || !(methods as readonly string[]).includes(name),
  );
  if (unserved === undefined) return rules;
  throw new StartRefusedError(`The rule "${unserved}" of "${collection}" never runs: no such operation is served.`);
}

/** @throws {StartRefusedError} A required field that only the service may set gets no value on creation. */
export function requireSettable(
  collection: string,
  {
    fields,
    rules,
    methods = METHODS,
  }: { fields?: DtoClass | undefined; rules?: object | undefined; methods?: readonly Method[] | undefined },
): void {
  if (fields === undefined || !methods.includes('create') || (rules !== undefined && 'create' in rules)) return;
  const required = [...definitionOf(fields).fields].find(([, { absence }]) => absence === 'refused');
  if (required === undefined) return;
  throw new StartRefusedError(
    `Nothing sets the field "${required[0]}" of "${collection}" at its creation: add a rule, @DefaultsTo() or @Optional().`,
  );
}

/**
 * Runs at the start, because a nested class may be declared after its collection.
 * @throws {StartRefusedError} A required nested field that only the service may set gets no value on creation.
 */
export function requireNestedSettable({
  name,
  metatype,
  rules,
  methods = METHODS,
}: Pick<CollectionDefinition<HasId, object>, 'name' | 'metatype' | 'rules' | 'methods'>): void {
  if (metatype === undefined || !methods.includes('create') || rules?.create !== undefined) return;
  const unset = nestedReadOnly(metatype);
  if (unset === undefined) return;
  throw new StartRefusedError(
    `Nothing sets the field "${unset}" of "${name}" at its creation: add a rule that sets it, or @Optional().`,
  );
}

/** Returns a nested field that only the service sets, such as `lines.name`. The field cannot be null. */
function nestedReadOnly(dto: DtoClass): string | undefined {
  for (const [name, { nested }] of definitionOf(dto).fields) {
    if (nested === undefined) continue;
    const fields = [...definitionOf(nested()).fields];
    const own = fields.find(([, { readOnly, absence }]) => readOnly && absence !== 'null')?.[0];
    const found = own ?? nestedReadOnly(nested());
    if (found !== undefined) return `${name}.${found}`;
  }
  return undefined;
}

const RULED: ReadonlySet<string> = new Set<Method>(['create', 'replace', 'remove']);
const KIND = /^[a-z][a-z0-9_]{0,49}$/;
const KINDS = ['created', 'updated', 'deleted'];

interface EventOptions {
  readonly events: boolean;
  readonly kinds: readonly string[] | undefined;
  readonly isOwned: boolean;
}

/**
 * @throws {StartRefusedError} A kind is repeated or not in snake_case, or `kinds` are given although `events` is false.
 */
export function eventsOf(
  { name, singular }: { readonly name: string; readonly singular: string },
  { events, kinds, isOwned }: EventOptions,
): { readonly events?: string | CollectionEvents<Readonly<Record<string, unknown>>> } {
  const wrong = kinds?.find((kind, index) => !KIND.test(kind) || kinds.indexOf(kind) !== index);
  if (wrong !== undefined)
    throw new StartRefusedError(`kinds of "${name}" names "${wrong}": it takes names in snake_case, each once.`);
  if (!events && kinds !== undefined)
    throw new StartRefusedError(`kinds of "${name}" do nothing without events: true.`);
  if (!events) return {};
  const subject = singular.replaceAll(' ', '_');
  if (!isOwned && kinds === undefined) return { events: subject };
  const isWhole = kinds?.some((kind) => KINDS.includes(kind)) === true;
  return {
    events: {
      subject,
      ...(isOwned && { owner: 'user_id' }),
      ...(kinds && { kinds: isWhole ? kinds : [...KINDS, ...kinds] }),
    },
  };
}
