/** An environment variable, trimmed; undefined if unset or empty. */
export interface Variable {
  readonly name: string;
  readonly value: string | undefined;
}
