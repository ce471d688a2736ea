/** The announced end of a version. Both days are `YYYY-MM-DD` and begin at midnight UTC. SPEC §9 */
export interface VersionEnd {
  /** First day of the `Sunset` header: at least 12 months before {@link on}. */
  readonly announced: string;
  /** First day of refusal: at least 24 months after the release of the successor. */
  readonly on: string;
}

/**
 * A row of a service's table of versions. The next row is the successor; its release deprecates this version. SPEC §9
 */
export interface ReleasedVersion {
  /** The name is the day of release: `YYYY-MM-DD`. */
  readonly version: string;
  readonly end?: VersionEnd;
}
