/** Which events a reader may see now. */
export interface Visibility {
  /** Kinds of which all are seen. */
  readonly all: readonly string[];
  /** Kinds of which only one's own are seen. */
  readonly own: readonly string[];
  /** Whose these are; null: nobody's, so that none are seen. */
  readonly userId: string | null;
}
