/** JSON text of a long page, written in pieces as fast as the client reads. */
export class JsonPieces {
  /** @param pieces Pieces of the text. Each is built when it is requested. They can be read once. */
  constructor(readonly pieces: Iterable<string>) {}

  /** Returns the whole text. Call it only if no piece was read. */
  toString(): string {
    return [...this.pieces].join('');
  }
}
