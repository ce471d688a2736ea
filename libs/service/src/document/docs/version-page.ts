import { escaped } from '../../http/request/html.js';
import type { VersionNotes } from '../../http/versions/versions.js';

import { inline } from './markup.js';
import type { PageFileSet } from './page-files.js';

export function versionPage(
  notes: VersionNotes,
  title: string,
  current: string,
  { icon, style }: Pick<PageFileSet, 'icon' | 'style'>,
): string {
  const { version, changes, later } = notes;
  const heading = `Version ${escaped(version)}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${heading} · ${escaped(title)}</title>
<link rel="icon" href="../${icon.name}" type="image/svg+xml">
<link rel="stylesheet" href="../${style.name}">
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
${listOf(changes, 'Nothing that a program has to know.')}
${later.map((each) => `<h2>What version ${escaped(each.version)} has changed since</h2>\n${listOf(each.changes, 'Nothing that a program has to know.')}\n`).join('')}${
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

function listOf(sentences: readonly string[], none: string): string {
  if (sentences.length === 0) return `<p>${none}</p>`;
  return `<ul>\n${sentences.map((sentence) => `<li>${inline(sentence)}</li>`).join('\n')}\n</ul>`;
}

function moveOn(version: string, current: string): string {
  return `<h2>How to move on</h2>
<p>${inline(
    `Send \`Api-Version: ${current}\` instead of \`Api-Version: ${version}\`, one client at a time, after each change above is made in it.`,
  )}</p>
`;
}
