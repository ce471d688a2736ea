export function timestamp(): string {
  return new Date().toISOString().replaceAll(/[-:.]/g, '').toLowerCase();
}
