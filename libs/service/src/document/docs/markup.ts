import { escaped } from '../../http/request/html.js';

/** The subset of Markdown that the page supports: paragraphs, **bold** and `code`. */
export function paragraphs(markdown: string): string {
  return markdown
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
}

export function inline(text: string): string {
  return escaped(text)
    .replaceAll(/`([^`]+)`/g, '<code>$1</code>')
    .replaceAll(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

export interface QuickStartStep {
  /** Purpose of the step: `Create an item:`. */
  readonly says: string;
  readonly command: string;
}

export function quickStart(steps: readonly QuickStartStep[]): string {
  const lines = steps.map(({ says, command }) => {
    return `<li>${escaped(says)}<pre tabindex="0"><code>${escaped(command)}</code></pre></li>`;
  });
  return `<ol>\n${lines.join('\n')}\n</ol>`;
}
