import { basePathOf } from '../../http/base-path.js';
import { escaped } from '../../http/request/html.js';
import type { Config } from '../../runtime/config/config.js';
import type { ConsoleFileSet } from './console-files.js';

export const CONSOLE_HEADERS: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  // With `no-referrer`, browsers hide the origin of a POST.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-cache',
};

export function consolePage(
  { baseUrl, consoleColor }: Pick<Config, 'baseUrl' | 'consoleColor'>,
  { script, style, icon }: ConsoleFileSet,
  title: string,
): string {
  const base = basePathOf(baseUrl);
  const at = (name: string): string => escaped(`${base}/console/${name}`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="items-base-url" content="${escaped(baseUrl)}">
${consoleColor === undefined ? '' : `<meta name="theme-color" content="${escaped(consoleColor)}">\n`}<title>${escaped(title)}</title>
<link rel="icon" href="${at(icon.name)}" type="${icon.type}">
<link rel="stylesheet" href="${at(style.name)}">
<script type="module" src="${at(script.name)}"></script>
</head>
<body>
<div id="console"><noscript><p>The console needs JavaScript. <a href="${escaped(base)}/docs">The documentation</a> works without it.</p></noscript></div>
</body>
</html>
`;
}

export interface ConsoleOptions {
  readonly title: string;
}

export const CONSOLE_OPTIONS = Symbol('CONSOLE_OPTIONS');
