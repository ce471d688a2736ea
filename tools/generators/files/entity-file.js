/** The columns of a row. @param {import('../plan/plan.js').Plan} plan */
export function entityFile({ names, fields, owned }) {
  const columns = fields.map(({ name, type: { column, row, stored }, optional }) => {
    const sentence = stored === undefined ? '' : `  /** ${stored} */\n`;
    const options = optional ? ', { nullable: true }' : '';
    return `${sentence}  @Column('${column}'${options})\n  ${name}!: ${row}${optional ? ' | null' : ''};\n`;
  });
  const owner = owned ? [`  @Column('uuid')\n  user_id!: string;\n`] : [];
  const text = `import { Column, Entity } from 'typeorm';

import { VersionedRow } from '../database/versioned-row.js';

/** A row of \`${names.table}\`. SPEC §2 */
@Entity('${names.table}')
export class ${names.type}Entity extends VersionedRow {
${[...owner, ...columns].join('\n')}}
`;
  return { path: `apps/api/src/${names.plural}/${names.singular}.entity.ts`, text };
}
