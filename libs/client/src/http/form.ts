/** A body of `application/x-www-form-urlencoded`, as the OAuth endpoints take it. RFC 6749 appendix B */
export function form(fields: Readonly<Record<string, string>>): {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
} {
  return {
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(fields).toString(),
  };
}
