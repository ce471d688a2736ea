interface Deletion {
  readonly begunAt: number;
  committedAt?: number;
}

/** When rows were deleted, as the writers saw it: a walk leaves out what is gone before its page is served. */
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

  /** Whether the row may have been gone at that time. */
  mayPrecede(id: string, at: number): boolean {
    const deletion = this.byId.get(id);
    return deletion !== undefined && deletion.begunAt <= at;
  }

  /** Whether the row was certainly gone at that time. */
  precedes(id: string, at: number): boolean {
    const committedAt = this.byId.get(id)?.committedAt;
    return committedAt !== undefined && committedAt < at;
  }
}
