export interface Visibility {
  /** Types of which the reader sees all events. */
  readonly all: readonly string[];
  /** Types of which the reader sees only events of `userId`. */
  readonly own: readonly string[];
  /** Owner of the events in `own`. Null: the reader owns no events. */
  readonly userId: string | null;
}
