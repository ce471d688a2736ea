import type { IncomingMessage } from 'node:http';

import { API_VERSION, SUPPORTED_API_VERSIONS } from '@items/contracts';
import { HEADER } from '@items/conventions';
import { UnsupportedVersionError } from '@items/errors';

/** The version that the answer names: the one asked for where it is supported, else the current one. SPEC §9 */
export function answeredVersion(message: Pick<IncomingMessage, 'headers'>): string {
  const asked = message.headers[HEADER.apiVersion];
  return typeof asked === 'string' && SUPPORTED_API_VERSIONS.includes(asked) ? asked : API_VERSION;
}

/**
 * Refuses a version that the service does not speak.
 * @throws {UnsupportedVersionError} 400 that lists the supported ones.
 * @see SPEC §9
 */
export function requireSupportedVersion(message: Pick<IncomingMessage, 'headers'>): void {
  const asked = message.headers[HEADER.apiVersion];
  if (asked !== undefined && asked !== answeredVersion(message))
    throw new UnsupportedVersionError(SUPPORTED_API_VERSIONS);
}
