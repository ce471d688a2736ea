import { STYLE_SOURCE } from './style.js';

/** Browsers hold a form's redirects to `form-action` as well: the client's address has to be in it. */
function policy(addresses: readonly string[]): string {
  const origins = [...new Set(addresses.map(originOf))];
  const targets = addresses.length === 0 ? "'none'" : ["'self'", ...origins].join(' ');
  return [
    "default-src 'none'",
    `style-src ${STYLE_SOURCE}`,
    `form-action ${targets}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * The headers of a page: no script runs in it, no page frames it, nothing of its address goes elsewhere. The referrer
 * stays within the service instead of nowhere: without it a browser hides where a form comes from. SPEC §5.5
 * @param addresses where its forms may lead to in the end; none for a page without a form.
 */
export function pageHeaders(...addresses: readonly string[]): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy(addresses),
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}

function originOf(uri: string): string {
  return URL.canParse(uri) ? new URL(uri).origin : '';
}
