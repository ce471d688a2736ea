/** JSON that is written piece by piece, as fast as its client reads it: a long page. */
export class JsonPieces {
  /** @param pieces of the text, each made when it is asked for, and only once. */
  constructor(readonly pieces: Iterable<string>) {}

  /** The whole text, where nothing was taken of it. */
  toString(): string {
    return [...this.pieces].join('');
  }
}
