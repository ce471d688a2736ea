/** JSON that is written already: it is sent as it is. */
export class JsonText {
  constructor(readonly text: string) {}

  /** What it says, for whoever writes it anew within something else. */
  toJSON(): unknown {
    return JSON.parse(this.text);
  }
}
