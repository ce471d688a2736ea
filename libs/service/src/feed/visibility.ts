/** Which events a reader may see now. */
export interface Visibility {
  /** Kinds of which all are seen. */
  readonly all: readonly string[];
  /** Kinds of which only one's own are seen. */
  readonly own: readonly string[];
  /** The user who owns these; null: none does, so none are visible. */
  readonly userId: string | null;
}
