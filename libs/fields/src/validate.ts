import {
  type ErrorDetail,
  MAX_DETAILS,
  OMITTED_MEMBERS,
  type OmittedMembers,
  shownName,
  ValidationError,
} from '@items/conventions';
import {
  definitionOf,
  type DtoClass,
  type FieldDefinition,
  isRequired,
  type EnumOverrides,
  REQUIRED,
} from './definition.js';
import { foreignValidator } from './foreign-rules.js';

/**
 * Validates and normalises a value from a client: trims texts, converts times to UTC, sets absent optional fields to
 * null, and removes read-only fields.
 * @param value JSON. An own `__proto__` is a field like any other.
 * @param overrides Default: the enums of the class.
 * @returns A new instance; `value` is not changed.
 * @throws {ValidationError} 422 with one detail for each wrong field and each unknown field.
 * @see SPEC §4 rule 5, §7, §2.4
 */
export function validate<T extends object>(
  dto: DtoClass<T>,
  value: unknown,
  overrides: EnumOverrides = NO_OVERRIDES,
): T {
  const findings: Findings = { overrides, problems: [], unknown: 0 };
  const accepted = readObject(dto, value, '', findings);
  const { problems, unknown } = findings;
  const unlisted = Math.max(0, unknown - MAX_DETAILS);
  const omitted = isJsonObject(value)
    ? (value as { readonly [OMITTED_MEMBERS]?: OmittedMembers })[OMITTED_MEMBERS]
    : undefined;
  if (omitted !== undefined) throw tooManyMembers(findings, unlisted, omitted);
  if (accepted === undefined || problems.length > 0) throw new ValidationError(problems, unlisted);
  return accepted;
}

/**
 * Validates a member that the service itself writes. Like {@link validate}, but accepts read-only fields, also in
 * nested objects.
 * @throws {ValidationError} 422
 */
export function validateStored<T extends object>(dto: DtoClass<T>, member: object, mayLack?: 'read-only fields'): T {
  const overrides = mayLack === undefined ? STORED : INCOMPLETE;
  const findings: Findings = { overrides, problems: [], unknown: 0 };
  const accepted = readObject(dto, member, '', findings);
  if (accepted === undefined || findings.problems.length > 0) throw new ValidationError(findings.problems);
  return accepted;
}

/**
 * Validates some fields of a member like {@link validateStored}. Absent and undefined fields stay absent.
 * @throws {ValidationError} 422
 */
export function validateChange<T extends object>(dto: DtoClass<T>, fields: object): Partial<T> {
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
  const findings: Findings = { overrides: STORED, problems: [], unknown: 0 };
  const accepted = readObject(dto, given, '', findings) as Record<string, unknown>;
  const problems = findings.problems.filter(({ field }) => Object.hasOwn(given, field.split('.')[0] ?? ''));
  if (problems.length > 0) throw new ValidationError(problems);
  for (const name of Object.keys(accepted)) if (!Object.hasOwn(given, name)) Reflect.deleteProperty(accepted, name);
  return accepted as Partial<T>;
}

/** Reports no missing fields, because the parser may have omitted them. */
function tooManyMembers({ problems, unknown }: Findings, unlisted: number, omitted: OmittedMembers): Error {
  const { kind, field, count, max } = omitted;
  const known = problems.filter(({ code }) => code !== 'required' && code !== 'too_few');
  // Counts omitted members as unknown fields, because nearly all of them are.
  if (unknown > 0) return new ValidationError(known, kind === 'names' ? unlisted + count : unlisted);
  if (known.length > 0) return new ValidationError(known);
  const subject = field === '' ? 'The request body' : `"${field}"`;
  const message = {
    names: `${subject} has too many members: a body has at most ${String(max)} different names.`,
    members: `${subject} has too many members: its objects have at most ${String(max)} together.`,
    elements: `${subject} has too many elements: its arrays have at most ${String(max)} together.`,
  }[kind];
  return new ValidationError([{ field, code: 'too_many', message, params: { max } }]);
}

/** Cached rules of a class. Built for its first object, after all decorators have run. */
interface Reader {
  readonly fields: ReadonlyMap<string, FieldDefinition>;
  readonly readOnly: ReadonlySet<string>;
  readonly validator: Validator;
}

const NO_OVERRIDES: EnumOverrides = new Map();
/** Passed as overrides to validate members that the service writes. */
const STORED: EnumOverrides = new Map();
/** Like {@link STORED}, but read-only fields may be missing, because they are set later. */
const INCOMPLETE: EnumOverrides = new Map();
const readers = new WeakMap<EnumOverrides, WeakMap<DtoClass, Reader>>();

function readerOf(dto: DtoClass, overrides: EnumOverrides): Reader {
  let known = readers.get(overrides);
  if (known === undefined) readers.set(overrides, (known = new WeakMap()));
  const found = known.get(dto);
  if (found !== undefined) return found;
  const { fields: all, accepted, readOnly } = definitionOf(dto);
  const fields = new Map(
    [...(overrides === STORED || overrides === INCOMPLETE ? all : accepted)].map(([name, field]) => [
      name,
      withRules(field, overrides),
    ]),
  );
  const reader = { fields, readOnly, validator: validatorOf(dto, fields) };
  known.set(dto, reader);
  return reader;
}

function withRules(field: FieldDefinition, overrides: EnumOverrides): FieldDefinition {
  const rules = field.rulesIn?.(overrides) ?? field.rules;
  const absence = overrides === INCOMPLETE && field.readOnly ? 'kept' : field.absence;
  return { ...field, absence, rules: isRequired(field) ? rules : rules.filter((rule) => rule.onlyIfRequired !== true) };
}

interface Findings {
  readonly overrides: EnumOverrides;
  readonly problems: ErrorDetail[];
  /** Number of unknown fields. Only the first become problems, because a client may send any number. */
  unknown: number;
}

/** @param path Ends in a dot; empty for the body itself. */
function readObject<T extends object>(
  dto: DtoClass<T>,
  value: unknown,
  path: string,
  findings: Findings,
): T | undefined {
  if (!isJsonObject(value)) {
    findings.problems.push(notAnObject(path));
    return undefined;
  }
  const reader = readerOf(dto, findings.overrides);
  const { fields, readOnly, validator } = reader;
  findUnknown(value, reader, path, findings);
  const accepted = new dto();
  const contents = accepted as Record<string, unknown>;
  for (const name of readOnly) Reflect.deleteProperty(contents, name);
  for (const [name, field] of fields) contents[name] = readField(value, name, field);
  const refused = validator(accepted);
  for (const problem of refused) {
    const field = path + problem.field;
    findings.problems.push({ ...problem, field, message: `"${field}" ${problem.message}` });
  }
  for (const [name, { nested }] of fields) {
    if (nested === undefined || refused.some(({ field }) => field === name)) continue;
    contents[name] = readNested(nested(), contents[name], path + name, findings);
  }
  return accepted;
}

/**
 * Counts the unknown names and reports only those that the response lists, because a client may send sixty thousand.
 */
function findUnknown(
  object: Readonly<Record<string, unknown>>,
  { fields, readOnly }: Reader,
  path: string,
  findings: Findings,
): void {
  const names = Object.keys(object);
  let unknown = names.length;
  for (const name of fields.keys()) if (Object.hasOwn(object, name)) unknown -= 1;
  for (const name of readOnly) if (!fields.has(name) && Object.hasOwn(object, name)) unknown -= 1;
  if (unknown === 0) return;
  let left = Math.min(unknown, MAX_DETAILS - findings.unknown);
  findings.unknown += unknown;
  for (const name of names) {
    if (left <= 0) return;
    if (fields.has(name) || readOnly.has(name)) continue;
    findings.problems.push(unknownField(path + shownName(name)));
    left -= 1;
  }
}

function readField(object: Readonly<Record<string, unknown>>, name: string, field: FieldDefinition): unknown {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value !== undefined) return field.normalise === undefined ? value : field.normalise(value);
  if (typeof field.absence === 'object') return field.absence.value;
  return field.absence === 'null' ? null : undefined;
}

function readNested(dto: DtoClass, value: unknown, path: string, findings: Findings): unknown {
  if (value === undefined || value === null) return value;
  if (!Array.isArray(value)) return readObject(dto, value, `${path}.`, findings);
  return value.map((element, index) => readObject(dto, element, `${path}.${String(index)}.`, findings));
}

function unknownField(field: string): ErrorDetail {
  return { field, code: 'unknown_field', message: `"${field}" is not a field that can be set here.` };
}

function notAnObject(path: string): ErrorDetail {
  const field = path.slice(0, -1);
  const subject = field === '' ? 'The request body' : `"${field}"`;
  return { field, code: 'wrong_type', message: `${subject} must be ${field === '' ? 'a JSON' : 'an'} object.` };
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the first violated rule of each field; its `message` is a sentence without its subject. */
export type Validator = (object: object) => readonly ErrorDetail[];

/**
 * Calls rules of this library directly, which costs an eighth of class-validator's executor. Then applies rules of
 * other decorators to the accepted fields. ADR 89
 */
export function validatorOf(dto: DtoClass, fields: ReadonlyMap<string, FieldDefinition>): Validator {
  const own = ownValidator([...fields]);
  const foreign = foreignValidator(dto);
  if (foreign === undefined) return own;
  return (object) => {
    const problems = own(object);
    const accepted: Record<string, unknown> = { ...object };
    for (const { field } of problems) Reflect.deleteProperty(accepted, field);
    return [...problems, ...foreign(accepted)];
  };
}

function ownValidator(fields: readonly (readonly [string, FieldDefinition])[]): Validator {
  return (object) => {
    const values = object as Readonly<Record<string, unknown>>;
    const problems: ErrorDetail[] = [];
    for (const [field, { absence, rules }] of fields) {
      const value = values[field];
      if (value === undefined) {
        if (absence === 'refused') problems.push(problemOf(field, REQUIRED));
        continue;
      }
      if (value === null && (absence === 'null' || absence === 'kept or cleared')) continue;
      for (const rule of rules) {
        if (rule.holds(value)) continue;
        // One problem per field, because each rule assumes that the earlier ones hold.
        problems.push(problemOf(field, { ...rule, message: rule.explain?.(value) ?? rule.message }));
        break;
      }
    }
    return problems;
  };
}

function problemOf(field: string, { code, message, params }: Omit<ErrorDetail, 'field'>): ErrorDetail {
  return { field, code, message, ...(params !== undefined && { params }) };
}
