/** @param {Pick<import('../plan/plan.js').Plan, 'names' | 'owned'>} plan */
export function pathOf({ names, owned }) {
  return `${owned ? '/users/{user_id}' : ''}/${names.plural}`;
}
