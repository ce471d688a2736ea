import { choicesOf, typesOf, type Schema } from './openapi.js';

export type FieldKind =
  | ('text' | 'long text' | 'number' | 'money' | 'flag' | 'time' | 'choice' | 'reference' | 'secret')
  | ('choices' | 'texts' | 'object' | 'objects' | 'json');

export interface Field {
  readonly name: string;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly description: string | undefined;
  readonly choices: readonly string[];
  /** Path of the collection that a `reference` points to. */
  readonly target: string | undefined;
  readonly fields: readonly Field[];
}

export type FindTarget = (field: string, schema: Schema) => string | undefined;

/** A field with a greater `maxLength` gets an input with several lines. */
const LONG_TEXT = 300;
/** `Money` of `@items/fields` is the only kind of number with this maximum. */
const MAX_AMOUNT = 999_999_999.99;

/** @param isInput Omits read-only fields. */
export function fieldsOf(schema: Schema | undefined, findTarget: FindTarget, isInput: boolean): readonly Field[] {
  const entries = Object.entries(schema?.properties ?? {}).filter(([, property]) => !isInput || !property.readOnly);
  return entries.map(([name, property]) => {
    const target = findTarget(name, property);
    const kind = kindOf(property, target);
    const isList = kind === 'choices' || kind === 'objects';
    return {
      ...{ name, kind, description: property.description?.replaceAll('`', '') },
      isRequired: schema?.required?.includes(name) === true,
      isNullable: typesOf(property).includes('null'),
      choices: choicesOf((isList ? property.items : property) ?? {}),
      target: kind === 'reference' ? target : undefined,
      fields: fieldsOf(isList ? property.items : property, findTarget, isInput),
    };
  });
}

function kindOf(schema: Schema, target: string | undefined): FieldKind {
  const types = typesOf(schema);
  if (schema.enum !== undefined) return 'choice';
  if (types.includes('boolean')) return 'flag';
  if (types.includes('integer')) return 'number';
  if (types.includes('number')) return schema.maximum === MAX_AMOUNT ? 'money' : 'number';
  if (types.includes('array')) return listKind(schema.items);
  if (types.includes('object')) return schema.properties === undefined ? 'json' : 'object';
  if (!types.includes('string')) return 'json';
  if (schema.writeOnly === true) return 'secret';
  if (schema.format === 'date-time') return 'time';
  if (target !== undefined) return 'reference';
  return (schema.maxLength ?? 0) > LONG_TEXT && schema.format === undefined ? 'long text' : 'text';
}

function listKind(items: Schema = {}): FieldKind {
  if (items.enum !== undefined) return 'choices';
  if (items.properties !== undefined) return 'objects';
  return typesOf(items).includes('string') ? 'texts' : 'json';
}

/** Fields whose value can label a member, best first. */
const NAMES = ['username', 'name', 'title', 'label', 'client_name', 'url', 'type', 'status'];
/** Text fields that are useless as labels. */
const NAMELESS = ['id', 'scope', 'address', 'api_version'];

/** Returns the field whose value labels a member; undefined if only the id can. */
export function namingField(fields: readonly Field[]): Field | undefined {
  const named = NAMES.map((name) => fields.find((field) => field.name === name)).find((field) => field !== undefined);
  const text = fields.find(({ name, kind }) => kind === 'text' && !NAMELESS.includes(name));
  return named ?? text ?? fields.find(({ kind }) => kind === 'long text');
}
