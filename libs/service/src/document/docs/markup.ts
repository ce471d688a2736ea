import { escaped } from '../../http/request/html.js';

/** As much of Markdown as the page understands: paragraphs, **bold** and `code`. */
export function paragraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** **bold** and `code`, within a paragraph. */
export function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
