/** RFC 9728 §3 */
export const RESOURCE_METADATA_PATH = '/.well-known/oauth-protected-resource';

/** Returns the resource identifier of the service: its base URL without a final slash. RFC 9728 §2 */
export function resourceOf(baseUrl: string): string {
  return baseUrl.replace(/\/$/, '');
}
