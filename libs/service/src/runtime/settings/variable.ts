/** One variable of the environment, trimmed; undefined where it is unset or empty. */
export interface Variable {
  readonly name: string;
  readonly value: string | undefined;
}
