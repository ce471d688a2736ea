import type { QueryRunner } from 'typeorm';

import { groupsPrefix } from '../../data/lists/totals.js';
import type { Dialect } from '../../data/schema/dialect.js';
import { sqlName } from '../../data/schema/quoted.js';
import { Schema } from '../../data/schema/schema.js';
import { type TableDefinition, tableSchema } from './table-migration.js';

const CREATE_INDEX = /^CREATE (?:UNIQUE )?INDEX "?([^" ]+)"? ON /;

/** @param filters names of new filters, or of filters whose values have changed. */
export function countsOf(
  dialect: Dialect,
  { name: table, countedFilters }: TableDefinition,
  filters: readonly string[],
): string[] {
  const json =
    dialect === 'sqlite'
      ? (name: string) => `json_quote(${sqlName(name)})`
      : (name: string) => `to_json(${sqlName(name)})`;
  return countedFilters
    .filter((fields) => fields.some((field) => filters.includes(field)))
    .flatMap((fields) => {
      const prefix = groupsPrefix(fields);
      const group = `'${prefix}[' || ${fields.map(json).join(" || ',' || ")} || ']]'`;
      const known = fields.map((field) => `${sqlName(field)} IS NOT NULL`).join(' AND ');
      return [
        `DELETE FROM collection_counts WHERE collection = '${table}' AND substr(grp, 1, ${String(prefix.length)}) = '${prefix}'`,
        `INSERT INTO collection_counts (collection, grp, lane, n) SELECT '${table}', ${group}, 0, count(*) FROM ${sqlName(table)} ` +
          `WHERE ${known} GROUP BY ${fields.map(sqlName).join(', ')}`,
      ];
    });
}

export async function indexesOf(
  dialect: Dialect,
  definition: TableDefinition,
): Promise<readonly (readonly [string, string])[]> {
  const { schema, statements } = schemaFor(dialect);
  await schema.createCollection(tableSchema(schema, definition));
  return statements.flatMap((sql) => {
    const [, name] = CREATE_INDEX.exec(sql) ?? [];
    return name === undefined ? [] : [[name, sql] as const];
  });
}

/** Collects statements instead of running them. */
export function schemaFor(dialect: Dialect): { readonly schema: Schema; readonly statements: string[] } {
  const statements: string[] = [];
  const runner = {
    dataSource: { options: { type: dialect === 'postgres' ? 'postgres' : 'better-sqlite3' } },
    query: (sql: string) => Promise.resolve(statements.push(sql)),
  };
  return { schema: new Schema(runner as unknown as QueryRunner), statements };
}
