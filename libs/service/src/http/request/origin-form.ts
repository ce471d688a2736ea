const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * The path and query of a request target. In its absolute form the client names a host as well; like `Host`, it decides
 * nothing here, for only the base URL says where this service is.
 * @see RFC 9112 §3.2
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}
