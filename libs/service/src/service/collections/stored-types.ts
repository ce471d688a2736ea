import { definitionOf, type DtoClass, type FieldDefinition } from '@items/fields';

/** Recorded type of a field. The type decides the meaning of stored values. */
export interface StoredType {
  readonly kind: StoredKind;
  readonly nullable?: true;
  /** Minimum and maximum of a value, or of the length of a text or list. */
  readonly min?: number;
  readonly max?: number;
  readonly words?: readonly string[];
  readonly items?: StoredType;
  readonly fields?: StoredTypes;
}

export type StoredTypes = Readonly<Record<string, StoredType>>;

type StoredKind = 'Text' | 'Id' | 'Integer' | 'Float' | 'Money' | 'Flag' | 'DateTime' | 'List' | 'Nested';

/** A change of a type that gives stored values another meaning. */
export interface TypeChange {
  readonly field: string;
  readonly sentence: string;
  readonly before: StoredType;
  readonly after: StoredType;
}

/** @param except fields that the service fills. */
export function storedTypes(dto: DtoClass, except: readonly string[] = []): StoredTypes {
  const fields = [...definitionOf(dto).fields].filter(
    ([name, { schema }]) => !except.includes(name) && schema['writeOnly'] !== true,
  );
  return Object.fromEntries(fields.map(([name, field]) => [name, typeOf(field)]));
}

function typeOf({ absence, kind, schema, nested }: FieldDefinition): StoredType {
  const isNullable = absence === 'null' || absence === 'kept or cleared';
  const items = schema['items'] as FieldDefinition['schema'] | undefined;
  return {
    ...ofSchema(kind, schema),
    ...(isNullable && { nullable: true }),
    ...(nested === undefined ? items && { items: ofSchema('plain', items) } : { fields: storedTypes(nested()) }),
  };
}

function ofSchema(kind: FieldDefinition['kind'], schema: FieldDefinition['schema']): StoredType {
  const stored = storedKind(kind, schema);
  const [min, max] =
    stored === 'Text' || stored === 'List'
      ? [schema['minLength'] ?? schema['minItems'], schema['maxLength'] ?? schema['maxItems']]
      : [schema['minimum'], schema['maximum']];
  const words = schema['enum'] as readonly string[] | undefined;
  return {
    kind: stored,
    ...(typeof min === 'number' && { min }),
    ...(typeof max === 'number' && { max }),
    ...(words && { words }),
  };
}

const KINDS: Readonly<Record<string, StoredKind>> = {
  money: 'Money',
  flag: 'Flag',
  time: 'DateTime',
  integer: 'Integer',
  number: 'Float',
  boolean: 'Flag',
  array: 'List',
  object: 'Nested',
};

function storedKind(kind: FieldDefinition['kind'], { type, format }: FieldDefinition['schema']): StoredKind {
  if (kind === 'plain' && format === 'uuid') return 'Id';
  return KINDS[kind === 'plain' ? String(type) : kind] ?? 'Text';
}

/** Omits new fields and wider types, because stored values retain their meaning. */
export function typeChanges(before: StoredTypes, after: StoredTypes): readonly TypeChange[] {
  return Object.entries(after).flatMap(([field, type]) => {
    const former = before[field];
    if (former === undefined) return [];
    return problems(`"${field}"`, former, type).map((sentence) => ({ field, sentence, before: former, after: type }));
  });
}

function problems(name: string, before: StoredType, after: StoredType): string[] {
  if (before.kind !== after.kind) return [`${name} was ${before.kind} and is ${after.kind}`];
  const sentences: string[] = [];
  if (before.nullable && !after.nullable) sentences.push(`${name} was optional and is required`);
  const gone = before.words?.filter((word) => after.words?.includes(word) === false) ?? [];
  if (gone.length > 0) sentences.push(`${name} no longer has the choices ${gone.join(', ')}`);
  else if (isNarrower(before, after)) sentences.push(`${name} was ${rangeIn(before)} and is ${rangeIn(after)}`);
  if (before.items && after.items) sentences.push(...problems(`${name.slice(0, -1)}[]"`, before.items, after.items));
  for (const [part, type] of Object.entries(after.fields ?? {})) {
    const former = before.fields?.[part];
    const path = `${name.slice(0, -1)}.${part}"`;
    if (former !== undefined) sentences.push(...problems(path, former, type));
    else if (before.fields && !type.nullable) sentences.push(`${path} is new and required`);
  }
  return sentences;
}

function isNarrower(before: StoredType, after: StoredType): boolean {
  if (after.words !== undefined) return before.words === undefined;
  const [words = []] = [before.words];
  const lengths = words.map((word) => [...word].length);
  const { min = -Infinity, max = Infinity } =
    words.length === 0 ? before : { min: Math.min(...lengths), max: Math.max(...lengths) };
  return (after.min ?? -Infinity) > min || (after.max ?? Infinity) < max;
}

function rangeIn({ kind, min = 0, max = 0, words }: StoredType): string {
  if (words !== undefined) return `a choice of ${words.join(', ')}`;
  const unit = kind === 'Text' ? ' characters' : kind === 'List' ? ' elements' : '';
  return `${kind} of ${String(min)} to ${String(max)}${unit}`;
}
