/** A header as it travels: its name as written, and one value. */
export type Header = readonly [name: string, value: string];

/** A response as received: nothing joined, nothing decoded. */
export class Answer {
  constructor(
    readonly status: number,
    /** Every header line, in order. */
    readonly headers: readonly Header[],
    /** Without chunk framing. */
    readonly body: Buffer,
  ) {}

  /** All values of a header, one for each line. @param name in any case. */
  all(name: string): string[] {
    const wanted = name.toLowerCase();
    return this.headers.filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
  }

  /** The lines of a header joined as RFC 9110 §5.3 allows. @param name in any case. */
  header(name: string): string | undefined {
    const values = this.all(name);
    return values.length === 0 ? undefined : values.join(', ');
  }

  get text(): string {
    return this.body.toString('utf8');
  }

  /** @throws {SyntaxError} with the beginning of the body, if it is not JSON. */
  json(): unknown {
    try {
      return JSON.parse(this.text);
    } catch (error) {
      throw new SyntaxError(`${String(this.status)} with a body that is not JSON: ${this.text.slice(0, 200)}`, {
        cause: error,
      });
    }
  }
}
