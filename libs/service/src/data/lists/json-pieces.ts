/** JSON of a long page, written as fast as the client reads. */
export class JsonPieces {
  /** @param pieces Built on demand and readable once. */
  constructor(readonly pieces: Iterable<string>) {}

  /** Call it only if no piece was read. */
  toString(): string {
    return [...this.pieces].join('');
  }
}
