/** The end of a version, as it was announced. Both are days, `YYYY-MM-DD`, and begin at midnight UTC. SPEC §9 */
export interface VersionEnd {
  /** From this day on its answers carry `Sunset`: at least 12 months before {@link on}. */
  readonly announced: string;
  /** From this day on it is refused: at least 24 months after the release of its successor. */
  readonly on: string;
}

/** A row of a service's table of versions. What else there is to know of it follows from the row after it. SPEC §9 */
export interface ReleasedVersion {
  /** Its name, and the day of its release: `YYYY-MM-DD`. */
  readonly version: string;
  /** Left out while no end is announced. */
  readonly end?: VersionEnd;
}
