import { filteredFields, sortableFields } from './lists.js';

/** The tables, on both databases. @param {import('../plan/plan.js').Plan} plan */
export function migrationFile(plan) {
  const { names, fields, owned, command } = plan;
  const { table, pluralWords } = names;
  const name = migrationName(plan);
  const columns = [
    ...(owned ? ['`user_id ${id} NOT NULL`'] : []),
    ...fields.map(({ name: column, type: { sql }, optional }) => {
      const nullable = optional ? '' : ' NOT NULL';
      return sql === 'smallint' ? `'${column} smallint${nullable}'` : `\`${column} \${${sql}}${nullable}\``;
    }),
  ];
  const used = ['id', 'text', 'int', 'float'].filter((sql) => columns.some((column) => column.includes(`\${${sql}}`)));
  const sortable = sortableFields(plan).map(
    ({ column, optional }) => `{ column: '${column}'${optional ? ', nullable: true, ties: true' : ''} }`,
  );
  const text = `import type { MigrationInterface, QueryRunner } from 'typeorm';

import { Schema } from './schema.js';

/**
 * ${owned ? `Users' ${pluralWords}` : `The ${pluralWords} collection`}, made by
 * \`${command}\`
 */
export class ${name} implements MigrationInterface {
  readonly name = '${name}';

  async up(runner: QueryRunner): Promise<void> {
    const schema = new Schema(runner);
${used.length === 0 ? '' : `    const { ${used.join(', ')} } = schema;\n`}    await schema.createCollection({
      table: '${table}',
      columns: [${columns.join(', ')}],
      sortable: [${sortable.join(', ')}],
${owned ? `      within: 'user_id',\n` : ''}      filters: [${filteredFields(plan)
    .map(({ name: column }) => `'${column}'`)
    .join(', ')}],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await new Schema(runner).dropCollection('${table}');
  }
}
`;
  return { path: `apps/api/src/migrations/${migrationFileName(plan)}.ts`, text };
}

/** @param {import('../plan/plan.js').Plan} plan */
export function migrationName({ names, stamp }) {
  return `Create${names.types}${stamp}`;
}

/** Without its ending. @param {import('../plan/plan.js').Plan} plan */
export function migrationFileName({ names, stamp }) {
  return `${stamp}-create-${names.plural}`;
}
