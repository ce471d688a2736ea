import { type Judgement, type Result } from '../judgement.js';
import { escapeMarkup } from './escape.js';
import { countsOf, pagingLine, type Section, sectionsOf } from './sections.js';

const style = `
:root { color-scheme: light dark; --line: light-dark(#d5d9e0, #3b414b); --soft: light-dark(#f5f6f8, #1d2127);
  --good: light-dark(#0a6b2d, #6fd08c); --bad: light-dark(#b00020, #ff8a8a); --dim: light-dark(#555d69, #a6adb8) }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 62rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin-bottom: .25rem } h2 { font-size: 1.15rem; margin-top: 2rem }
table { border-collapse: collapse; width: 100% }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line) }
td:first-child { white-space: nowrap } .passed { color: var(--good) } .failed, .fixed { color: var(--bad); font-weight: 600 }
.not_applicable, .known, small { color: var(--dim) } small { display: block; font-size: .85rem }
.verdict { font-size: 1.1rem; font-weight: 600 }
pre { background: var(--soft); padding: .5rem .75rem; margin: .4rem 0; white-space: pre-wrap; overflow-wrap: anywhere }
`;

/** The page loads nothing from other addresses. */
export function htmlReport(judgement: Judgement): string {
  const { url, profile, conformant, checks, notes } = judgement;
  const verdict = conformant ? 'Conformant' : 'Not conformant';
  const failed = checks.filter(({ status }) => status === 'failed' || status === 'fixed');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${verdict}: ${escapeMarkup(url)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>Conformance of ${escapeMarkup(url)}</h1>
<p>Profile ${profile}: ${countsOf(checks)}.</p>
<p>${escapeMarkup(pagingLine(judgement))}.</p>
<p class="verdict ${conformant ? 'passed' : 'failed'}">${verdict}</p>
${notes.map((note) => `<p>${escapeMarkup(note)}</p>\n`).join('')}${failed.length > 0 ? failures(failed) : ''}${sectionsOf(judgement).map(section).join('')}</main>
</body>
</html>
`;
}

function failures(failed: readonly Result[]): string {
  return `<h2>What failed</h2>\n<ul>\n${failed.map(({ id, sentence }) => `<li><a href="#${escapeMarkup(id)}">${prose(sentence)}</a></li>\n`).join('')}</ul>\n`;
}

function section({ name, title, checks }: Section): string {
  return `<h2>${name} ${escapeMarkup(title)}</h2>
<table>
<thead><tr><th scope="col">Outcome</th><th scope="col">Sentence</th></tr></thead>
<tbody>
${checks.map(row).join('')}</tbody>
</table>
`;
}

function row({ id, sentence, level, source, status, reason, failure }: Result): string {
  const more = failure
    ? `<pre><code>${escapeMarkup(failure.curl)}</code></pre><div><b>Expected</b> ${prose(failure.expected)}<br><b>Came</b> ${escapeMarkup(failure.came)}</div>`
    : reason === undefined
      ? ''
      : `<div class="not_applicable">${escapeMarkup(reason)}</div>`;
  const label = `<small>${escapeMarkup(id)} · ${level} · ${source}</small>`;
  return `<tr id="${escapeMarkup(id)}"><td class="${status}">${status.replace('_', ' ')}</td><td>${prose(sentence)}${label}${more}</td></tr>\n`;
}

function prose(text: string): string {
  return escapeMarkup(text).replaceAll(/`([^`]*)`/g, '<code>$1</code>');
}
