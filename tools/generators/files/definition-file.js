import { filteredFields, sortableFields } from './lists.js';

/** What the collection says about itself. @param {import('../plan/plan.js').Plan} plan */
export function definitionFile(plan) {
  const { names, fields, owned } = plan;
  const { type, variable, table, words, singular, plural, pluralWords } = names;
  const filtered = filteredFields(plan);
  const filters = filtered.map(({ name, type: { filter } }) => `${name}: ${filter}`);
  const kinds = fields.map(({ name, type: { kind } }) => `${name}: ${kind}`);
  const imported = [...new Set(fields.map((field) => field.type.kind))].sort();
  const rules = [...new Set(filtered.map(({ type: { filter = '' } }) => filter.replace(/\(.*/, '')))].sort();
  const owner = owned ? [`'user_id'`] : [];
  const counted = [...(owned ? [owner] : []), ...filtered.map(({ name }) => [...owner, `'${name}'`])];
  const text = `import type { ${type}, ${type}Input } from '@items/contracts';
${rules.length === 0 ? '' : `import { ${rules.join(', ')} } from '@items/paging';\n`}
import type { CollectionDefinition } from '../collections/collection.js';
import { ${['fieldsAs', ...imported].sort().join(', ')} } from '../collections/field-kinds.js';
import { ${type}Entity } from './${singular}.entity.js';

/** What the ${owned ? `collection of a user's ${pluralWords}` : `${pluralWords} collection`} says about itself. SPEC §2, §4 */
export const ${variable}Collection: CollectionDefinition<${type}Entity, ${type}, ${type}Input> = {
  name: '${table}',
  singular: '${words}',
  entity: ${type}Entity,
  sortable: [${sortableFields(plan)
    .map(({ column }) => `'${column}'`)
    .join(', ')}],
  filters: ${filters.length === 0 ? '{}' : `{ ${filters.join(', ')} }`},
  counted: [${counted.map((set) => `[${set.join(', ')}]`).join(', ')}],
  ...fieldsAs({ ${kinds.join(', ')} }${owned ? `, ['user_id']` : ''}),
};
`;
  return { path: `apps/api/src/${plural}/${singular}.collection.ts`, text };
}
