export interface Visibility {
  /** Types of which the reader sees all events. */
  readonly all: readonly string[];
  /** Types of which the reader sees only their own events. */
  readonly own: readonly string[];
  /** Owner of the events in `own`. Null: the reader owns none. */
  readonly userId: string | null;
}
