/** JSON that is written already, as a handler of Nest returns it: it is sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Its parsed content, for a caller that embeds it in other JSON. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
