/** Control and format characters (direction overrides among them), lone surrogates, line and paragraph separators. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Escapes what could steer a terminal, such as in the name of a file, as `\u001b`. Line ends of the sentence itself stay.
 * @param args of the command; their line ends are escaped, too.
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
