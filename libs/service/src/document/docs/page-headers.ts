/** @param styles what may say how the page looks. */
function headersOfPage(styles: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src ${styles}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
  };
}

/** Scripts and styles from here alone, none of them inline. Set when all is well: an error has headers of its own. */
export const PAGE_HEADERS = headersOfPage("'self'");

/** Scalar writes its styles into the page; its scripts keep to the rule. ADR 78 */
export const REFERENCE_HEADERS = headersOfPage("'self' 'unsafe-inline'");
