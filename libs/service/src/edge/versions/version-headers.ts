import { HEADER } from '@items/conventions';

import { startOf, type VersionFacts } from './version-table.js';

/** Where people read of a version. SPEC §9 */
export function versionPage(version: string): string {
  return `/docs/versions/${version}`;
}

/**
 * What every answer in a version carries: which one it is; how long it has been deprecated (RFC 9745) and where people read
 * of that; and from the announcement of its end on, when that is (RFC 8594).
 * @param nowMs since 1970.
 */
export function versionHeaders(
  { version, deprecatedSince, end }: VersionFacts,
  nowMs: number,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { [HEADER.apiVersion]: version };
  if (deprecatedSince !== undefined && nowMs >= startOf(deprecatedSince)) {
    headers['deprecation'] = `@${String(startOf(deprecatedSince) / 1000)}`;
    headers['link'] = `<${versionPage(version)}>; rel="deprecation"`;
  }
  if (end !== undefined && nowMs >= startOf(end.announced)) {
    headers['sunset'] = new Date(startOf(end.on)).toUTCString();
  }
  return headers;
}
