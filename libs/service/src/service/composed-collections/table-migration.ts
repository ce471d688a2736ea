import type { CollectionDefinition } from '../../data/definition/collection.js';
import { definitionOf, type DtoClass, type FieldDefinition } from '@items/fields';
import { type CollectionSchema, Schema } from '../../data/schema/schema.js';
import type { DatabaseSchema } from '../../data/database/database-options.js';
import type { QueryRunner } from 'typeorm';

/** After those of the service, and before all that a team writes. */
const MADE_AT = '1763000009000';

/** What says how the tables of a collection look. */
export type TableDefinition = Pick<
  CollectionDefinition<never, never>,
  'name' | 'parent' | 'foreignKey' | 'sortable' | 'filters' | 'countedFilters' | 'computed'
> & { readonly dto: DtoClass };

/** A column as the definition wants it. */
export interface TableColumn {
  readonly name: string;
  readonly type: string;
  readonly nullable: boolean;
  /** SQL of a value for the rows that are there. */
  readonly initial: string;
}

/**
 * Makes the tables and indexes of a collection from its definition, once.
 * @param onCreate gets the table's name where the table was made.
 */
export function tableMigration(
  definition: TableDefinition,
  onCreate: (table: string) => void = () => undefined,
): DatabaseSchema['migrations'][number] {
  const { name: table } = definition;
  const named = `Create_${table}_${MADE_AT}`;
  const migration = class {
    readonly name = named;

    async up(runner: QueryRunner): Promise<void> {
      const schema = new Schema(runner);
      await schema.createCollection(tableSchema(schema, definition));
      onCreate(table);
    }

    down(runner: QueryRunner): Promise<void> {
      return new Schema(runner).dropCollection(table);
    }
  };
  Object.defineProperty(migration, 'name', { value: named });
  return migration;
}

/** The tables and indexes of a collection, as its definition wants them. */
export function tableSchema(schema: Schema, definition: TableDefinition): CollectionSchema {
  const { name: table, parent, foreignKey, sortable, filters } = definition;
  const columns = columnsOf(schema, definition);
  return {
    table,
    columns: columns.map(({ name, type, nullable }) => `${name} ${type}${nullable ? '' : ' NOT NULL'}`),
    sortable: sortable.map((column) => {
      const isNullable = columns.some(({ name, nullable }) => name === column && nullable);
      return { column, ...(isNullable && { nullable: true, ties: true }) };
    }),
    filters: Object.keys(filters),
    ...(parent !== undefined && { parent }),
    ...(foreignKey !== undefined && {
      constraints: [`FOREIGN KEY (${String(parent)}) REFERENCES ${foreignKey.table} (id)`],
    }),
  };
}

/** All columns but those that every collection has. */
export function columnsOf(schema: Schema, { parent, dto, computed }: TableDefinition): readonly TableColumn[] {
  const fields = [...definitionOf(dto).fields].filter(([name]) => name !== parent);
  const own = fields.map(([name, field]): TableColumn => {
    const { absence } = field;
    return {
      name,
      type: sqlType(schema, field),
      // A computed column is null in rows that are older than it, until the service has filled it.
      nullable: absence === 'null' || absence === 'kept or cleared' || computed?.names.includes(name) === true,
      initial: initialOf(field),
    };
  });
  return parent === undefined ? own : [{ name: parent, type: schema.id, nullable: false, initial: "''" }, ...own];
}

function sqlType({ text, int, float }: Schema, { kind, schema }: FieldDefinition): string {
  if (kind === 'flag') return 'smallint';
  if (kind !== 'plain') return int;
  if (schema['type'] === 'integer') return int;
  return schema['type'] === 'number' ? float : text;
}

/** The default of the field, the first of its choices, or the empty value. */
function initialOf({ kind, absence, schema }: FieldDefinition): string {
  const { type, enum: words } = schema;
  const value =
    typeof absence === 'object' ? absence.value : Array.isArray(words) ? (words as unknown[])[0] : undefined;
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (kind !== 'plain' || type === 'integer' || type === 'number') return String(Number(value ?? 0));
  const text = typeof value === 'string' ? value : type === 'array' ? '[]' : '';
  return `'${text.replaceAll("'", "''")}'`;
}
