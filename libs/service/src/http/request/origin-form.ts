const AUTHORITY = /^https?:\/\/[^/?#]*/i;

/**
 * The host of an absolute target is ignored, like `Host`: only the base URL defines the address of the service. RFC
 * 9112 §3.2
 */
export function originForm(target: string): string {
  if (target.startsWith('/')) return target;
  const rest = target.replace(AUTHORITY, '');
  return rest === target || rest.startsWith('/') ? rest : `/${rest}`;
}
