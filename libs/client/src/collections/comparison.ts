/** Set by the service; what a client sends for them is ignored. SPEC §2.4 */
const READ_ONLY = /^(id|(cre|upd)ated_at)$/;

/** Whether a resource holds what was sent for it. */
export function holds(current: object, sent: object): boolean {
  return fieldsOf(sent).every((field) => same(current, sent, field));
}

/**
 * Looks in the present state for a change whose response was lost. Others may have changed other fields since.
 * @param before as it was read, @param sent what it was to become.
 * @returns whether the change was made; undefined if the present state does not tell.
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

/** An optional field that is left out becomes null; texts are stored trimmed. SPEC §2.4 */
export function same(one: object, other: object, field: string): boolean {
  return stored(Reflect.get(one, field)) === stored(Reflect.get(other, field));
}

function stored(value: unknown): string {
  return JSON.stringify(value ?? null, (_, part: unknown) => (typeof part === 'string' ? part.trim() : part));
}
