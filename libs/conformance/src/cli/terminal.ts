/** Where the command writes. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a line may be written over. */
  readonly isTty: boolean;
  readonly signal: AbortSignal;
}
