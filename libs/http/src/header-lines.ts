import { validateHeaderName, validateHeaderValue } from 'node:http';

/** Node looks at these itself, and adds to them. */
const READ_BY_NODE = new Set([
  'connection',
  'content-length',
  'date',
  'expect',
  'keep-alive',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Far above what a program sets: so many names, and characters a line. */
const MAX_KEPT = 64;
const MAX_KEPT_LENGTH = 512;

interface Line {
  value: unknown;
  text: string;
}

/** Headers by their lower-case names. */
export type HeaderValues = Readonly<Record<string, number | string | string[] | undefined>>;

/**
 * The header lines of answers. Most headers of an answer say what they said in the one before: their lines are made, and
 * searched for characters that no header may hold, only when the value changes. ADR 62
 */
export class HeaderLines {
  /** The last line of each name. */
  private readonly kept = new Map<string, Line>();

  /**
   * @returns all lines in their order, each ended by CR LF; undefined where Node has to read one of the headers.
   * @throws {TypeError} as `response.setHeader` does.
   */
  of(headers: HeaderValues): string | undefined {
    let lines = '';
    for (const name in headers) {
      const value = headers[name] ?? '';
      const line = this.kept.get(name);
      if (line !== undefined && line.value === value) lines += line.text;
      else if (READ_BY_NODE.has(name)) return undefined;
      else if (typeof value === 'object') for (const each of value) lines += lineOf(name, each);
      else lines += this.make(name, value, line);
    }
    return lines;
  }

  private make(name: string, value: number | string, line: Line | undefined): string {
    const text = lineOf(name, String(value));
    if (text.length > MAX_KEPT_LENGTH) return text;
    if (line !== undefined) {
      line.value = value;
      line.text = text;
    } else if (this.kept.size < MAX_KEPT) this.kept.set(name, { value, text });
    return text;
  }
}

function lineOf(name: string, value: string): string {
  validateHeaderName(name);
  validateHeaderValue(name, value);
  return `${name}: ${value}\r\n`;
}
