/**
 * Extracts the commands of `console` blocks of a Markdown text, with their output. `…` in an output matches any text.
 */
export function consoleCommands(markdown: string): { command: string; output: string }[] {
  const blocks = [...markdown.matchAll(/^```console\n(.*?)^```/gms)].map((match) => match[1] ?? '');
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter((entry) => entry !== '')
      .map(splitEntry),
  );
}

/** A command continues on the next line after a backslash. */
function splitEntry(entry: string) {
  const lines = entry.split('\n');
  const end = lines.findIndex((line) => !line.endsWith('\\')) + 1;
  return { command: lines.slice(0, end).join('\n'), output: lines.slice(end).join('\n').trim() };
}

export function outputPattern(output: string): RegExp {
  const literals = output.split('…').map((literal) => literal.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${literals.join('.*')}$`, 's');
}
