/** Attempts since the start of this process. */
export class AttemptCounts {
  succeeded = 0;
  failed = 0;
}
