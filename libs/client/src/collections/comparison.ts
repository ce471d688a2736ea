/** Fields that the service sets. It ignores their values in requests. SPEC §2.4 */
const READ_ONLY = /^(id|(cre|upd)ated_at)$/;

export function holds(current: object, sent: object): boolean {
  return fieldsOf(sent).every((field) => same(current, sent, field));
}

/**
 * Checks if a change was made although its response was lost. Other clients may have changed other fields later.
 * @param sent The intended state.
 * @returns Whether the change was made; undefined if the current state does not show it.
 */
export function compare(before: object, sent: object, current: object): boolean | undefined {
  const changed = [...new Set([...fieldsOf(before), ...fieldsOf(sent)])].filter((field) => !same(before, sent, field));
  if (changed.every((field) => same(current, sent, field))) return true;
  return changed.every((field) => same(current, before, field)) ? false : undefined;
}

export function isReadOnly(field: string): boolean {
  return READ_ONLY.test(field);
}

function fieldsOf(resource: object): string[] {
  return Object.keys(resource).filter((field) => !isReadOnly(field));
}

/**
 * Compares values as the service stores them: an omitted optional field becomes null, and texts are trimmed. SPEC §2.4
 */
export function same(one: object, other: object, field: string): boolean {
  return stored(Reflect.get(one, field)) === stored(Reflect.get(other, field));
}

function stored(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part));
}
