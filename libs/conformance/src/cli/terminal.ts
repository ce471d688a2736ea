/** Where the command writes. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether a line may be written over. */
  readonly isTty: boolean;
  /** Whether the report goes to a screen, and not to a file or another program. */
  readonly isScreen: boolean;
  /** The file of a step's summary, in a workflow of GitHub. */
  readonly stepSummary?: string | undefined;
  readonly signal: AbortSignal;
}
