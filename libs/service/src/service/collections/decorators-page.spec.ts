import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';

import * as fields from '@items/fields';
import type { QueryRunner } from 'typeorm';

import { Schema } from '../../data/schema/schema.js';
import { columnsOf, type TableDefinition } from './table-migration.js';

/*
 * docs/fields.md is generated from the code: run this spec with `UPDATE_DOCS=1`.
 */
const ROOT = join(__dirname, '../../../../..');
const PAGE = join(ROOT, 'docs/fields.md');
const SOURCES = readdirSync(join(ROOT, 'libs/fields/src'))
  .filter((file) => file.endsWith('.ts') && !file.includes('.spec.'))
  .map((file) => readFileSync(join(ROOT, 'libs/fields/src', file), 'utf8'))
  .join('\n');

/** Examples by decorator of a type. */
const TYPES = {
  Text: 'Text({ min: 1, max: 200, trim: true })',
  Integer: 'Integer({ min: 0, max: 9999 })',
  Float: 'Float({ min: -90, max: 90 })',
  Money: 'Money()',
  Flag: 'Flag()',
  DateTime: 'DateTime()',
  Choice: "Choice(['draft', 'published'])",
  Choices: "Choices(['red', 'green'])",
  Texts: "Texts({ maxItems: 3, max: 20, each: { matches: /^[a-z]+$/, expected: 'words in lower case' } })",
  Nested: 'Nested(() => AddressDto)',
  NestedList: 'NestedList(() => AddressDto, { min: 1, max: 5 })',
  RowId: 'RowId()',
  Reference: 'Reference(authors)',
} as const;
/** Examples of the decorators that are added to one of a type. */
const OTHERS = {
  Optional: 'Optional() @Text({ max: 20 })',
  DefaultsTo: 'DefaultsTo(0) @Integer({ min: 0, max: 9 })',
  KeptIfAbsent: 'KeptIfAbsent() @Text({ max: 20 })',
  KeptOrCleared: 'KeptOrCleared() @Text({ max: 20 })',
  ReadOnly: 'ReadOnly() @Text({ max: 20 })',
  Sortable: 'Sortable() @Text({ max: 20 })',
  Filterable: 'Filterable() @Text({ max: 20 })',
} as const;
/** Functions of the package that are not field decorators. */
const NO_DECORATORS = [
  'addReadOnlyFields',
  'definitionOf',
  'replacementOf',
  'schemaOf',
  'shownSchemaOf',
  'standard',
  'validate',
  'validateChange',
  'validateStored',
];

class AddressDto {
  @fields.Text({ max: 100 }) street!: string;
}
const authors = { name: 'authors', singular: 'author' };

/** Values of which each decorator accepts some and refuses others. */
const VALUES: readonly unknown[] = [
  undefined,
  null,
  '',
  'x',
  'draft',
  'x'.repeat(5000),
  '2026-02-30T00:00:00Z',
  -1e16,
  1e16,
  1.005,
  1.5,
  7,
  true,
  {},
  { street: 1 },
  [],
  ['X'],
  ['x'.repeat(5000)],
  Array.from({ length: 50 }, () => 'x'),
  Array.from({ length: 50 }, () => ({ street: 'x' })),
  ['red', 'red'],
];

function dtoOf(declaration: string): fields.DtoClass {
  class Dto {}
  const decorators = declaration
    .split(' @')
    .map((call) => runInNewContext(call, { ...fields, AddressDto, authors }) as PropertyDecorator);
  for (const decorate of decorators.toReversed()) decorate(Dto.prototype, 'field');
  return Dto;
}

/** Returns the type of a column in both databases, without the collation and `NOT NULL`, which the page states once. */
function columnOf(dto: fields.DtoClass): string {
  const types = (['better-sqlite3', 'postgres'] as const).map((type) => {
    const runner = { dataSource: { options: { type } } };
    const [column] = columnsOf(new Schema(runner as QueryRunner), { dto } as unknown as TableDefinition);
    const word = column?.type.replace(' COLLATE "C"', '') ?? 'none';
    return `\`${word}\`${column?.nullable === true ? ', may be null' : ''}`;
  });
  return [...new Set(types)].join(' (SQLite), ') + (types[0] === types[1] ? '' : ' (PostgreSQL)');
}

function codesOf(dto: fields.DtoClass): readonly string[] {
  const codes = VALUES.flatMap((value) => {
    try {
      fields.validate(dto, value === undefined ? {} : { field: value });
      return [];
    } catch (error) {
      return (error as { details: { code: string }[] }).details.map(({ code }) => code);
    }
  });
  return [...new Set(codes)].sort();
}

function commentOf(name: string): string {
  const [before = ''] = SOURCES.split(`export function ${name}(`);
  const comment = before.slice(before.lastIndexOf('/**') + 3, before.lastIndexOf('*/'));
  const [text = ''] = comment.replaceAll(/\n \* ?/g, ' ').split(/ @(?:param|example|returns|see)\b/);
  return plain(text.replaceAll(/\{@link (\w+)\}/g, '`$1`'));
}

/** Returns the names and comments of the options of a decorator. */
function optionsOf(name: string): readonly string[] {
  const [, parameters = ''] =
    new RegExp(`export function ${name}\\(([^)]*(?:\\([^)]*\\)[^)]*)*)\\): `).exec(SOURCES) ?? [];
  const [, type = ''] = /(?:options|notes): (\w+)/.exec(parameters) ?? [];
  return type === '' || type === 'FieldDocumentation' ? [] : membersOf(type);
}

function membersOf(type: string): readonly string[] {
  const [, base, body = ''] =
    new RegExp(`interface ${type}(?: extends (\\w+))? \\{\\n(.*?)\\n\\}`, 's').exec(SOURCES) ?? [];
  const members = [...body.matchAll(/(?:^ {2}\/\*\*(.*?)\*\/\n)?^ {2}readonly (\w+)(\??):/gms)].map(
    ([, comment = '', name = '', mark = '']) =>
      `  - \`${name}\`${mark === '' ? ' (required)' : ''}${comment === '' ? '' : `: ${plain(comment)}`}`,
  );
  return base === undefined || base === 'FieldDocumentation' ? members : [...members, ...membersOf(base)];
}

/** Joins the lines of a comment, and removes its references to the specification. */
function plain(comment: string): string {
  return comment
    .replaceAll(/\n +\* ?/g, ' ')
    .replaceAll(/ SPEC §[\d.]+/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function section(name: string, declaration: string): string {
  const dto = dtoOf(declaration);
  const schema = (fields.schemaOf(dto) as { properties?: Record<string, unknown> }).properties?.['field'];
  const codes = codesOf(dto);
  const options = optionsOf(name);
  return [
    `### @${name}`,
    commentOf(name),
    [
      `- Example: \`@${declaration} field\``,
      `- JSON Schema: ${schema === undefined ? 'not part of the input' : `\`${JSON.stringify(schema)}\``}`,
      `- Column: ${columnOf(dto)}`,
      `- Errors: ${codes.map((code) => `\`${code}\``).join(', ') || 'none'}`,
      ...(options.length === 0 ? [] : ['- Options:', ...options]),
    ].join('\n'),
  ].join('\n\n');
}

function page(): string {
  const sections = (examples: object): string =>
    Object.entries(examples as Record<string, string>)
      .map(([name, declaration]) => section(name, declaration))
      .join('\n\n');
  return `# Decorators of fields

All decorators of [\`@items/fields\`](../libs/fields/README.md), made from the code. A field has one decorator of a type, and any of the
others before it. The options are members of one object, the last argument; each type also has \`description\` and \`example\`, for the
OpenAPI document, and \`writeOnly\`, for a field that responses never show. A column is \`NOT NULL\` unless it may be null; a \`text\` of
PostgreSQL has \`COLLATE "C"\`. The errors are the codes of a 422 response.

## Types

${sections(TYPES)}

## Presence and lists

${sections(OTHERS)}
`;
}

describe('docs/fields.md', () => {
  it('has every decorator of the package', () => {
    const exported = Object.entries(fields)
      .filter(([, value]) => typeof value === 'function')
      .map(([name]) => name);
    expect(exported.filter((name) => !NO_DECORATORS.includes(name)).sort()).toEqual(
      [...Object.keys(TYPES), ...Object.keys(OTHERS)].sort(),
    );
  });

  it('matches the code', () => {
    if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(PAGE, page());
    expect(readFileSync(PAGE, 'utf8')).toBe(page());
  });
});
