/** JSON text that a Nest handler returns to send it unchanged. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Returns the parsed content, for JSON that embeds it. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
