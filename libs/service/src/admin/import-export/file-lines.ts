import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

export interface FileLine {
  readonly number: number;
  /** The line without its line feed; undefined if the line is too long. */
  readonly bytes: Buffer | undefined;
  /** Byte offset of the next line. */
  readonly end: number;
}

const LINE_FEED = 0x0a;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Reads the lines of a file, including empty ones, without a byte order mark. `maxBytes` bounds the memory. */
export class FileLines {
  private readonly hash = createHash('sha256');

  constructor(
    private readonly file: string,
    private readonly maxBytes: number,
  ) {}

  async *all(): AsyncGenerator<FileLine, void> {
    let number = 0;
    let end = 0;
    let length = 0;
    let parts: Buffer[] = [];
    const take = (part: Buffer): void => {
      this.hash.update(part);
      end += part.length;
      length += part.length;
      if (length <= this.maxBytes + 1) parts.push(part);
      else parts = [];
    };
    const ended = (): FileLine => {
      number += 1;
      const whole = length > this.maxBytes + 1 ? undefined : withoutEnds(Buffer.concat(parts), number);
      const bytes = (whole?.length ?? 0) > this.maxBytes ? undefined : whole;
      parts = [];
      length = 0;
      return { number, bytes, end };
    };
    for await (const chunk of createReadStream(this.file) as AsyncIterable<Buffer>) {
      let start = 0;
      for (let found = chunk.indexOf(LINE_FEED); found !== -1; found = chunk.indexOf(LINE_FEED, start)) {
        take(chunk.subarray(start, found + 1));
        start = found + 1;
        yield ended();
      }
      if (start < chunk.length) take(chunk.subarray(start));
    }
    if (length > 0) yield ended();
  }

  digest(): string {
    return this.hash.copy().digest('hex');
  }
}

function withoutEnds(line: Buffer, number: number): Buffer {
  const marked = number === 1 && line.subarray(0, 3).equals(BYTE_ORDER_MARK);
  return line.subarray(marked ? 3 : 0, line.at(-1) === LINE_FEED ? -1 : undefined);
}
