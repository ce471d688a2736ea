import { readFile } from 'node:fs/promises';
import { parse } from 'node:path';
import { EncodedBody } from '../../document/served/encoded-body.js';
import type { HashedFile } from '../../document/served/send-encoded.js';
import { basePathOf } from '../../http/base-path.js';
import { escaped } from '../../http/request/html.js';
import type { Config } from '../../runtime/config/config.js';

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
  // The setup route checks the origin of a POST. `no-referrer` would hide the origin.
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

export type ConsoleFileSet = Readonly<Record<'script' | 'style' | 'icon', HashedFile>>;

const ASSETS = '../../../assets/';

export async function readConsoleFiles(): Promise<ConsoleFileSet> {
  const [script, style, icon] = await Promise.all([
    fileAt('console/main.js', 'text/javascript; charset=utf-8'),
    fileAt('console/style.css', 'text/css; charset=utf-8'),
    fileAt('favicon.svg', 'image/svg+xml'),
  ]);
  return { script, style, icon };
}

/** @param path Relative to the folder of assets, which is the same for `src` and `dist`. */
async function fileAt(path: string, type: string): Promise<HashedFile> {
  const body = new EncodedBody(await readFile(new URL(ASSETS + path, import.meta.url)));
  const { name, ext } = parse(path);
  return { name: `${name}-${body.hash}${ext}`, type, body };
}
