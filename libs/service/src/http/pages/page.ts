import { createHash } from 'node:crypto';

import { escaped } from '../request/html.js';

export interface Page {
  readonly service: string;
  readonly title: string;
  /** `main` and `footer` are HTML; the other fields are plain text. */
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

/** All text has a contrast of at least 4.5:1, in light and dark mode. WCAG 2.2 §1.4.3 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f3f4f6; --card: #ffffff; --text: #1b1f27; --faint: #565e6c; --line: #c3c9d3;
  --accent: #1f5fbf; --on-accent: #ffffff; --error: #a4161a; --error-page: #fdecec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12151b; --card: #1c212b; --text: #eceff4; --faint: #a9b2c1; --line: #48515f;
    --accent: #8ab6ff; --on-accent: #0d1420; --error: #ffb4ae; --error-page: #3a1d20;
  }
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif; }
body { margin: 0; min-height: 100vh; display: flex; flex-direction: column; align-items: center;
  padding: 2rem 1rem; background: var(--page); color: var(--text); overflow-wrap: anywhere; }
header, main, footer { width: 100%; max-width: 26rem; }
header { margin: 4vh 0 1rem; font-weight: 600; font-size: 1.125rem; letter-spacing: .01em; }
header::before { content: ""; display: inline-block; width: .8em; height: .8em; margin-right: .5em;
  border-radius: .2em; background: var(--accent); }
main { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.75rem; }
footer { margin-top: 1rem; color: var(--faint); font-size: .875rem; }
h1 { margin: 0 0 .5rem; font-size: 1.5rem; line-height: 1.25; }
h2 { margin: 1.5rem 0 .5rem; font-size: 1rem; }
p { margin: 0 0 1rem; }
p:last-child { margin-bottom: 0; }
label { display: block; margin: 1rem 0 .375rem; font-weight: 600; }
input { width: 100%; padding: .625rem .75rem; border: 1px solid var(--faint); border-radius: .5rem;
  background: var(--card); color: inherit; font: inherit; }
input[aria-invalid] { border: 2px solid var(--error); }
button { width: 100%; min-height: 3rem; padding: .625rem 1rem; border: 1px solid var(--accent); border-radius: .5rem;
  background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button.plain { background: transparent; color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.buttons > button { flex: 1 1 9rem; width: auto; }
.error { margin: 0 0 1rem; padding: .75rem 1rem; border-left: 4px solid var(--error); border-radius: .25rem;
  background: var(--error-page); color: var(--error); font-weight: 600; }
.scopes { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.scopes li { padding: .625rem 0; border-bottom: 1px solid var(--line); }
.scopes code, .code { color: var(--faint); font: .8125rem ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.scopes code { display: block; }
dl { margin: 1rem 0 0; }
dt { color: var(--faint); font-size: .875rem; }
dd { margin: 0 0 .75rem; }
`;

/** The only style that the Content-Security-Policy allows. CSP Level 3 §2.3.1 */
export const STYLE_SOURCE = `'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;
