import { escaped } from '../../http/request/html.js';

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
