/**
 * What lists may be sorted by.
 * @param {import('../plan/plan.js').Plan} plan
 * @returns {{ column: string, optional: boolean }[]}
 */
export function sortableFields({ fields }) {
  const own = fields.filter(({ sortable }) => sortable).map(({ name, optional }) => ({ column: name, optional }));
  return [...own, ...['created_at', 'updated_at'].map((column) => ({ column, optional: false }))];
}

/** What lists may be filtered by. @param {import('../plan/plan.js').Plan} plan */
export function filteredFields({ fields }) {
  return fields.filter(({ filtered }) => filtered);
}
