const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Also removes control characters that XML cannot represent. */
export function escapeMarkup(text: string): string {
  const printable = [...text].filter((character) => character >= ' ' || character === '\n' || character === '\t');
  return printable.join('').replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
