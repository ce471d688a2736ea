import { escaped } from '../request/html.js';

import { STYLE } from './style.js';

export interface Page {
  readonly service: string;
  readonly title: string;
  /** `main` and `footer` are HTML, the other texts are not. */
  readonly main: string;
  readonly footer?: string;
}

/** Renders a page that works without JavaScript, on a phone, with a keyboard, in light and dark mode. */
export function page({ service, title, main, footer }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escaped(title)} – ${escaped(service)}</title>
<style>${STYLE}</style>
</head>
<body>
<header>${escaped(service)}</header>
<main>
${main}
</main>
${footer === undefined ? '' : `<footer>${footer}</footer>\n`}</body>
</html>
`;
}
