/** JSON of a long page, sent in pieces as fast as the client reads. The pieces can be read only once. */
export class JsonPieces {
  constructor(readonly pieces: Iterable<string>) {}

  toString(): string {
    return [...this.pieces].join('');
  }
}
