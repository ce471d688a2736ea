/** Control and format characters (including direction overrides), lone surrogates, line and paragraph separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes characters that could control a terminal, for example in a file name: ESC becomes `\u001b`. Line ends of the
 * message itself remain.
 * @param args Arguments of the command. Line ends of an argument in the text are escaped, too.
 */
export function printable(text: string, args: readonly string[]): string {
  const withArgs = args.reduce((each, arg) => (arg.includes('\n') ? each.replaceAll(arg, escapeAll(arg)) : each), text);
  return withArgs.split('\n').map(escapeAll).join('\n');
}

function escapeAll(text: string): string {
  return text.replace(UNPRINTABLE, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return code.length > 4 ? `\\u{${code}}` : `\\u${code.padStart(4, '0')}`;
  });
}
