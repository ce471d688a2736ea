/** Wraps a text into indented lines. Splits words that are longer than a line. */
export function wrapped(text: string, width: number, indent = '  '): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.trim().split(' ')) {
    let rest = word;
    if (line !== indent && line.length + 1 + rest.length > width) {
      lines.push(line);
      line = indent;
    }
    while (indent.length + rest.length > width) {
      lines.push(indent + rest.slice(0, width - indent.length));
      rest = rest.slice(width - indent.length);
    }
    line += line === indent ? rest : ` ${rest}`;
  }
  return line === indent ? lines : [...lines, line];
}

/** Wraps a command; a backslash at the end of a line continues it. */
export function wrappedCommand(parts: readonly string[], width: number): string[] {
  const indent = '  ';
  const room = width - 2;
  const lines: string[] = [];
  let line = indent;
  for (const part of parts) {
    if (line !== indent && line.length + 1 + part.length > room) {
      lines.push(`${line} \\`);
      line = indent.repeat(2);
    }
    const pieces = piecesOf(line.trim() === '' ? line + part : `${line} ${part}`, room);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return [...lines, line];
}

/** Splits a quoted part: closes the quotes before a line break, and reopens them after it. */
function piecesOf(line: string, room: number): string[] {
  const pieces: string[] = [];
  let rest = line;
  while (rest.length > room && rest.endsWith("'")) {
    // Do not split `'\''`, the escape of one quotation mark.
    let end = room - 1;
    while (end > 1 && /['\\]/.test(rest.slice(end - 1, end + 1))) end -= 1;
    pieces.push(`${rest.slice(0, end)}'\\`);
    rest = `'${rest.slice(end)}`;
  }
  return [...pieces, rest];
}
