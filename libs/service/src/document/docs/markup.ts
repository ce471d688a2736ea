import { escaped } from '../../http/request/html.js';

/** Renders the subset of Markdown that the page supports: paragraphs, **bold** and `code`. */
export function paragraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

/** Renders **bold** and `code` within a paragraph. */
export function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}
