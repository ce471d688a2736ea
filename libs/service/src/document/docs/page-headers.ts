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

/** Only scripts and styles of this service, none inline. Set on success only: an error has its own headers. */
export const PAGE_HEADERS = headersOfPage("'self'");

/** Scalar adds inline styles to the page, but no inline scripts. ADR 76 */
export const REFERENCE_HEADERS = headersOfPage("'self' 'unsafe-inline'");
