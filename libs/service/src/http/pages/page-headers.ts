import { STYLE_SOURCE } from './page.js';

/**
 * Browsers also apply `form-action` to the redirects after a form, so the policy must include the origins of redirect
 * targets.
 */
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
 * Forbids scripts and framing. Sends referrers only within the service: without a referrer, a browser would hide the
 * origin of a form. SPEC §5.5
 * @param addresses final targets of the forms of the page.
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
