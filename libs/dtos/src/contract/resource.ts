/** Fields of every resource in a response: the id is a UUIDv7, times are RFC 3339 in UTC with milliseconds. SPEC §2 */
export interface Resource {
  readonly id: string;
  readonly created_at: string;
  readonly updated_at: string;
}
