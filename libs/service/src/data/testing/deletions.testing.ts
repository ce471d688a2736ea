interface Deletion {
  readonly begunAt: number;
  committedAt?: number;
}

/** Times of deletions as the writers saw them. A walk omits rows deleted before their page is served. */
export class Deletions {
  private readonly byId = new Map<string, Deletion>();

  begin(id: string): void {
    this.byId.set(id, { begunAt: performance.now() });
  }

  commit(id: string): void {
    const deletion = this.byId.get(id);
    if (deletion !== undefined) deletion.committedAt = performance.now();
  }

  undo(id: string): void {
    this.byId.delete(id);
  }

  /** Whether the deletion may have been committed by that time. */
  mayPrecede(id: string, at: number): boolean {
    const deletion = this.byId.get(id);
    return deletion !== undefined && deletion.begunAt <= at;
  }

  /** Whether the deletion was certainly committed by that time. */
  precedes(id: string, at: number): boolean {
    const committedAt = this.byId.get(id)?.committedAt;
    return committedAt !== undefined && committedAt < at;
  }
}
