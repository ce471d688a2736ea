import { ValidationError } from '@items/conventions';
import type { DtoClass } from './dto-class.js';
import { validate } from './validate.js';

export interface StandardIssue {
  readonly message: string;
  /** Names and indexes that lead to the wrong field; empty for the value itself. */
  readonly path: readonly (string | number)[];
}

export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** Standard Schema, version 1. @see https://standardschema.dev */
export interface StandardSchema<Output extends object = object> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: '@items/fields';
    readonly validate: (value: unknown) => StandardResult<Output>;
    /** Never set: carries the types for TypeScript. */
    readonly types?: { readonly input: Output; readonly output: Output } | undefined;
  };
}

const PROPERTY = '~standard';

/** Makes a class a Standard Schema. Its subclasses validate their own fields too. */
export function makeStandard({ constructor: dto }: object): void {
  if (PROPERTY in dto) return;
  Object.defineProperty(dto, PROPERTY, {
    get(this: DtoClass): StandardSchema[typeof PROPERTY] {
      return { version: 1, vendor: '@items/fields', validate: (value) => resultOf(this, value) };
    },
  });
}

/**
 * Returns a class with the type of a Standard Schema, because a decorator cannot change the type of its class.
 * @example create(@Body({ schema: standard(BookInput) }) input: BookInput) {}
 */
export function standard<T extends object>(dto: DtoClass<T>): DtoClass<T> & StandardSchema<T> {
  makeStandard(dto.prototype as object);
  return dto as DtoClass<T> & StandardSchema<T>;
}

function resultOf<T extends object>(dto: DtoClass<T>, value: unknown): StandardResult<T> {
  try {
    return { value: validate(dto, value) };
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    return { issues: error.details.map(({ field, message }) => ({ message, path: pathOf(field) })) };
  }
}

/** Converts `lines.0.title` to `['lines', 0, 'title']`. */
function pathOf(field: string): (string | number)[] {
  if (field === '') return [];
  return field.split('.').map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment));
}
