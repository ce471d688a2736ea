const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for XML and HTML, without the control characters that XML has no way to write. */
export function escapeMarkup(text: string): string {
  const printable = [...text].filter((character) => character >= ' ' || character === '\n' || character === '\t');
  return printable.join('').replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
