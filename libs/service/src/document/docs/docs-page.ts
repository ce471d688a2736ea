import { escaped } from '../../http/request/html.js';
import type { VersionNotes } from '../../http/versions/versions.js';
import type { OpenApiDocument, OperationObject } from '../openapi-document.js';
import type { OpenApiOptions } from '../openapi-options.js';
import { inline, paragraphs, quickStart } from './markup.js';
import type { PageFileSet } from './page-files.js';

function headersOfPage(styles: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  };
}

/** Allows only scripts and styles of this service, none inline. Error pages have other headers. */
export const PAGE_HEADERS = headersOfPage("'self'");

/** Scalar adds inline styles to the page, but no inline scripts. ADR 76 */
export const REFERENCE_HEADERS = headersOfPage("'self' 'unsafe-inline'");

const SHOWN_METHODS = ['get', 'post', 'put', 'delete'];

/**
 * Shows all essential information without scripts. Scalar (an API viewer) is drawn invisibly, and then replaces this
 * page.
 * @see ADR 76
 */
export function docsPage(
  document: OpenApiDocument,
  files: PageFileSet,
  {
    quickStart: steps = [],
    versionNotes,
    console = false,
  }: Pick<OpenApiOptions, 'quickStart' | 'versionNotes' | 'console'> = {},
): string {
  const { info, servers, webhooks } = document;
  const version = escaped(info.version);
  const title = escaped(info.title);
  const [{ url: baseUrl }] = servers;
  return `${head(title, 'docs/', files)}
<script src="docs/${files.script.name}" data-scalar="docs/${files.scalar.name}" data-reference="docs/${files.reference.name}" defer></script>
</head>
<body>
<div class="page">
<a class="skip" href="#operations">Skip to the operations</a>
${console ? '<nav id="pages" aria-label="Pages"><a href="console">Console</a></nav>\n' : ''}<header>
<h1>${title}</h1>
<p>Version ${versionNotes !== undefined ? `<a href="docs/versions/${version}">${version}</a>` : version} at <code>${escaped(baseUrl)}</code> ·
<a href="openapi.json">OpenAPI 3.1 document</a></p>
</header>
<main>
${steps.length === 0 ? '' : section('quick-start', 'Quick start', quickStart(steps))}${
    info.description === undefined ? '' : section('conventions', 'Conventions', paragraphs(info.description))
  }<section aria-labelledby="operations">
<h2 id="operations">Operations</h2>
<p>HEAD works wherever GET does, and OPTIONS everywhere.</p>
<div class="scroll" role="region" aria-labelledby="operations" tabindex="0">
<table>
<thead><tr><th scope="col">Method</th><th scope="col">Path</th><th scope="col">What it does</th><th scope="col">Scope</th></tr></thead>
<tbody>
${rowsOf(document).join('\n')}
</tbody>
</table>
</div>
</section>
${webhooks === undefined ? '' : section('webhooks', 'Webhooks', sentList(webhooks))}<noscript><p>Every field, header and status stands in the <a href="openapi.json">OpenAPI document</a>;
with JavaScript it is shown here, and requests can be tried.</p></noscript>
</main>
</div>
</body>
</html>
`;
}

/** @param base Prefix of the URLs of files. */
function head(title: string, base: string, { icon, style }: PageFileSet): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="${base}${icon.name}" type="image/svg+xml">
<link rel="stylesheet" href="${base}${style.name}">`;
}

function section(id: string, title: string, content: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${content}\n</section>\n`;
}

function sentList(webhooks: NonNullable<OpenApiDocument['webhooks']>): string {
  const items = Object.entries(webhooks).map(
    ([name, { post }]) => `<li><code>${escaped(name)}</code>: ${escaped(post.summary)}</li>`,
  );
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

/** Returns table rows in the order of the tags, as in Scalar. */
function rowsOf({ tags, paths }: OpenApiDocument): string[] {
  const rows = Object.entries(paths).flatMap(([path, item]) =>
    SHOWN_METHODS.flatMap((method) => {
      const operation = item[method];
      return operation === undefined ? [] : [{ tag: operation.tags[0], text: row(method, path, operation) }];
    }),
  );
  return tags.flatMap(({ name }) => rows.filter(({ tag }) => tag === name).map(({ text }) => text));
}

function row(method: string, path: string, operation: OperationObject): string {
  const name = method.toUpperCase();
  return `<tr><td><span class="method ${method}">${name}</span></td><td><code>${escaped(path)}</code></td>
<td>${escaped(operation.summary)}</td><td>${needs(operation)}</td></tr>`;
}

function needs({ security, 'x-required-scope': scope }: OperationObject): string {
  if (scope !== undefined) return `<code>${scope}</code>`;
  return security.length === 0 ? 'no credential' : 'any credential';
}

export function versionPage(notes: VersionNotes, title: string, current: string, files: PageFileSet): string {
  const { version, changes, later } = notes;
  const heading = `Version ${escaped(version)}`;
  return `${head(`${heading} · ${escaped(title)}`, '../', files)}
</head>
<body>
<div class="page">
<header>
<h1>${heading}</h1>
<p>${escaped(title)} · <a href="../../docs">all operations</a></p>
</header>
<main>
<p>${lifeOf(notes)}</p>
<h2>What it changed</h2>
${listOf(changes)}
${later.map((each) => `<h2>What version ${escaped(each.version)} has changed since</h2>\n${listOf(each.changes)}\n`).join('')}${
    version === current ? '' : moveOn(version, current)
  }</main>
</div>
</body>
</html>
`;
}

function lifeOf({ deprecatedSince, end, hasEnded }: VersionNotes): string {
  if (deprecatedSince === undefined) return 'This is the current version.';
  if (end === undefined)
    return `Deprecated since ${deprecatedSince}. Its end is not announced yet; it lives until two years after that day at least.`;
  return hasEnded
    ? `It ended on ${end.on}: requests that ask for it are refused with 400.`
    : `Deprecated since ${deprecatedSince}. It ends on ${end.on}; from that day on, requests that ask for it are refused with 400.`;
}

function listOf(sentences: readonly string[]): string {
  if (sentences.length === 0) return '<p>Nothing that a program has to know.</p>';
  return `<ul>\n${sentences.map((sentence) => `<li>${inline(sentence)}</li>`).join('\n')}\n</ul>`;
}

function moveOn(version: string, current: string): string {
  return `<h2>How to move on</h2>
<p>${inline(
    `Send \`Api-Version: ${current}\` instead of \`Api-Version: ${version}\`, one client at a time, after each change above is made in it.`,
  )}</p>
`;
}
