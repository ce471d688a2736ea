/** How many attempts this process has made since it began. */
export class AttemptCounts {
  succeeded = 0;
  failed = 0;
}
