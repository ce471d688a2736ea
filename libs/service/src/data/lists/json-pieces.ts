/** JSON of a long page, written as fast as the client reads. */
export class JsonPieces {
  /** @param pieces Built on demand and readable once. */
  constructor(readonly pieces: Iterable<string>) {}

  toString(): string {
    return [...this.pieces].join('');
  }
}
