import type { Resolve, Schema } from './openapi.js';

export type FieldKind =
  | 'text'
  | 'long text'
  | 'number'
  | 'money'
  | 'flag'
  | 'time'
  | 'choice'
  | 'choices'
  | 'reference'
  | 'texts'
  | 'object'
  | 'objects'
  | 'secret'
  | 'json';

/** A field of a resource or of an input. */
export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string | undefined;
  /** Values of `choice` and `choices`. */
  readonly choices: readonly string[];
  /** Path of the collection that a `reference` points to. */
  readonly target: string | undefined;
  /** Fields of `object` and `objects`. */
  readonly fields: readonly Field[];
}

/** Finds the path of the collection that a field refers to. */
export type FindTarget = (field: string, schema: Schema) => string | undefined;

/** A longer text gets several lines. */
const LONG_TEXT = 300;
/** `Money` of `@items/fields` is the only kind of number with this maximum. */
const MAX_AMOUNT = 999_999_999.99;

export function typesOf(schema: Schema): readonly string[] {
  return typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
}

/** Reads the fields of an object schema; fields that a client cannot set are omitted from those of an input. */
export function fieldsOf(schema: Schema, resolve: Resolve, findTarget: FindTarget, isInput: boolean): readonly Field[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, reference]) => {
    const property = resolve(reference) ?? {};
    if (isInput && property.readOnly === true) return [];
    return [fieldOf(name, property, schema.required?.includes(name) === true)];
  });

  function fieldOf(name: string, property: Schema, isRequired: boolean): Field {
    const target = findTarget(name, property);
    const items = resolve(property.items);
    const kind = kindOf(property, items, target);
    const nested = kind === 'object' ? property : kind === 'objects' ? items : undefined;
    return {
      ...{ name, kind, isRequired },
      isNullable: typesOf(property).includes('null'),
      description: property.description,
      choices: ((kind === 'choices' ? items : property)?.enum ?? []).filter((choice) => choice !== null),
      target: kind === 'reference' ? target : undefined,
      fields: nested === undefined ? [] : fieldsOf(nested, resolve, findTarget, isInput),
    };
  }
}

function kindOf(schema: Schema, items: Schema | undefined, target: string | undefined): FieldKind {
  const types = typesOf(schema);
  if (schema.enum !== undefined) return 'choice';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'number';
  if (types.includes('number')) return schema.maximum === MAX_AMOUNT ? 'money' : 'number';
  if (types.includes('array')) return listKind(items);
  if (types.includes('object')) return schema.properties === undefined ? 'json' : 'object';
  if (!types.includes('string')) return 'json';
  if (schema.writeOnly === true) return 'secret';
  if (schema.format === 'date-time') return 'time';
  if (target !== undefined) return 'reference';
  return (schema.maxLength ?? 0) > LONG_TEXT && schema.format === undefined ? 'long text' : 'text';
}

function listKind(items: Schema | undefined): FieldKind {
  if (items?.enum !== undefined) return 'choices';
  if (items?.properties !== undefined) return 'objects';
  return items !== undefined && typesOf(items).includes('string') ? 'texts' : 'json';
}

/** Fields that name a member, best first. */
const NAMES = ['username', 'name', 'title', 'label', 'client_name', 'url', 'type', 'status'];

/** Texts that name nothing. */
const NAMELESS = ['id', 'scope', 'address', 'api_version'];

/** The field whose value names a member; undefined if only its id does. */
export function namingField(fields: readonly Field[]): Field | undefined {
  for (const name of NAMES) {
    const found = fields.find((field) => field.name === name);
    if (found !== undefined) return found;
  }
  const isText = ({ name, kind }: Field): boolean => kind === 'text' && !NAMELESS.includes(name);
  return fields.find(isText) ?? fields.find(({ kind }) => kind === 'long text');
}
