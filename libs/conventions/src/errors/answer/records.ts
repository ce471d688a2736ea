export function isRecord(thing: unknown): thing is Readonly<Record<string, unknown>> {
  return (typeof thing === 'object' && thing !== null) || typeof thing === 'function';
}

export function textOf(record: Readonly<Record<string, unknown>>, name: string): string {
  const value = record[name];
  return typeof value === 'string' ? value : '';
}
