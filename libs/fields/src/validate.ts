import type { ErrorDetail } from '@items/conventions';
import { MAX_DETAILS, shownName, ValidationError } from '@items/errors';
import { validateSync } from 'class-validator';

import { definitionOf, type DtoClass, type FieldDefinition } from './definition.js';
import { isJsonObject } from './json-object.js';

/**
 * What a client sent, judged and brought into its one form: texts trimmed where the class says so, times in UTC,
 * absent optional fields null, read-only fields left out.
 * @param dto a class whose fields carry this lib's decorators.
 * @param value of JSON: an own `__proto__` is a field like any other.
 * @returns a new instance; `value` is not changed.
 * @throws {ValidationError} 422 with a detail for every field that is wrong, one each, and every unknown one.
 * @see SPEC §4 rule 5, §7, §2.4
 */
export function validate<T extends object>(dto: DtoClass<T>, value: unknown): T {
  const findings: Findings = { problems: [], unknown: 0 };
  const accepted = readObject(dto, value, '', findings);
  const { problems, unknown } = findings;
  if (accepted === undefined || problems.length > 0) {
    throw new ValidationError(problems, Math.max(0, unknown - MAX_DETAILS));
  }
  return accepted;
}

/** What is wrong with a value. */
interface Findings {
  readonly problems: ErrorDetail[];
  /** How many unknown fields there are: a client may send any number, so only the first ones become problems. */
  unknown: number;
}

/** @param path of the object, ending in a dot; empty for the body itself. */
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
  const { accepted: fields, readOnly } = definitionOf(dto);
  for (const name of Object.keys(value)) {
    if (fields.has(name) || readOnly.has(name)) continue;
    findings.unknown += 1;
    if (findings.unknown <= MAX_DETAILS) findings.problems.push(unknownField(path + shownName(name)));
  }
  const accepted = new dto();
  const contents = accepted as Record<string, unknown>;
  for (const name of readOnly) Reflect.deleteProperty(contents, name);
  for (const [name, field] of fields) contents[name] = readField(value, name, field);
  const refused = judge(accepted, path, findings);
  for (const [name, { nested }] of fields) {
    if (nested === undefined || refused.has(name)) continue;
    contents[name] = readNested(nested(), contents[name], path + name, findings);
  }
  return accepted;
}

function readField(object: Readonly<Record<string, unknown>>, name: string, field: FieldDefinition): unknown {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  if (value !== undefined) return field.normalise(value);
  if (typeof field.absence === 'object') return field.absence.value;
  return field.absence === 'null' ? null : field.normalise(value);
}

/** @returns the names of the fields that are refused. */
function judge(accepted: object, path: string, { problems }: Findings): ReadonlySet<string> {
  // One problem a field is enough: each rule takes for granted that those before it hold.
  const errors = validateSync(accepted, { stopAtFirstError: true, forbidUnknownValues: false });
  for (const { property, constraints = {} } of errors) {
    for (const [code, message] of Object.entries(constraints)) {
      problems.push({ field: path + property, code, message: `"${path}${property}" ${message}` });
    }
  }
  return new Set(errors.map(({ property }) => property));
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
