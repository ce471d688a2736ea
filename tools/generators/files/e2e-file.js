import { filteredFields, sortableFields } from './lists.js';
import { pathOf } from './path-of.js';

/** The rules of the specification, for this collection. @param {import('../plan/plan.js').Plan} plan */
export function e2eFile(plan) {
  const fields = plan.fields.map(({ name, typeName, optional }) => `${name}: '${typeName}${optional ? '?' : ''}'`);
  const quoted = (/** @type {string[]} */ names) => names.map((name) => `'${name}'`).join(', ');
  const text = `import { describeCollection } from '../collection-rules/describe-collection.js';

describeCollection({
  path: '${pathOf(plan)}',
  fields: { ${fields.join(', ')} },
  sortable: [${quoted(sortableFields(plan).map(({ column }) => column))}],
  filters: [${quoted(filteredFields(plan).map(({ name }) => name))}],
});
`;
  return { path: `apps/api-e2e/src/collections/${plan.names.plural}.spec.ts`, text };
}
