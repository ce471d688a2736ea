/**
 * Extracts the commands of `console` blocks of a Markdown text, with their output.
 * @param {string} markdown
 * @returns {{ command: string, output: string }[]} `…` in an output matches any text.
 */
export function consoleCommands(markdown) {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((entry) => entry !== '')
      .map(splitEntry),
  );
}

/** A command continues on the next line after a backslash. @param {string} entry */
function splitEntry(entry) {
  const lines = entry.split('\n');
  const end = lines.findIndex((line) => !line.endsWith('\\')) + 1;
  return { command: lines.slice(0, end).join('\n'), output: lines.slice(end).join('\n').trim() };
}

/**
 * @param {string} output as documented.
 * @returns {RegExp} matches the actual output.
 */
export function outputPattern(output) {
  const literals = output.split('…').map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}
