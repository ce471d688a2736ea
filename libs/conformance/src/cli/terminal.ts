export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTty: boolean;
  /** Undefined if the report goes to a file or another program. */
  readonly columns?: number | undefined;
  /** The file of a step's summary, in a workflow of GitHub. */
  readonly stepSummary?: string | undefined;
  readonly signal: AbortSignal;
}
