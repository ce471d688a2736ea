import { escaped } from '../../http/request/html.js';

import type { OpenApiDocument, OperationObject, PathItem } from '../openapi-document.js';
import { paragraphs, quickStart } from './markup.js';
import type { OpenApiOptions } from '../openapi-options.js';
import type { PageFileSet } from './page-files.js';

const SHOWN_METHODS = ['get', 'post', 'put', 'delete'];

/**
 * The page has all essential information without scripts. Scalar replaces it once it has painted.
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
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="docs/${files.icon.name}" type="image/svg+xml">
<link rel="stylesheet" href="docs/${files.style.name}">
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

function section(id: string, title: string, content: string): string {
  return `<section aria-labelledby="${id}">\n<h2 id="${id}">${title}</h2>\n${content}\n</section>\n`;
}

function sentList(webhooks: NonNullable<OpenApiDocument['webhooks']>): string {
  const items = Object.entries(webhooks).map(([name, { post }]) => {
    return `<li><code>${escaped(name)}</code>: ${escaped(post.summary)}</li>`;
  });
  return `<ul>\n${items.join('\n')}\n</ul>`;
}

/** In the order of the tags, as Scalar shows them. */
function rowsOf({ tags, paths }: OpenApiDocument): string[] {
  const items = Object.entries(paths);
  return tags.flatMap(({ name }) => items.flatMap(([path, item]) => rows(path, item, name)));
}

function rows(path: string, item: PathItem, tag: string): string[] {
  return SHOWN_METHODS.flatMap((method) => {
    const operation = item[method];
    return operation?.tags[0] === tag ? [row(method, path, operation)] : [];
  });
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
