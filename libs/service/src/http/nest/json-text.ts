/** JSON text that a Nest handler returns to send it unchanged. */
export class JsonText {
  constructor(readonly text: string) {}

  /** Called when the content is embedded in other JSON. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
