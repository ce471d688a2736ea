import type { ReleasedVersion } from '@items/conventions';

/** The current version, the default of requests. SPEC §9 */
export const API_VERSION = '2026-11-20';

/**
 * All versions, oldest first, including ended ones. Headers, refusals and the pages of the versions follow from this
 * table. SPEC §9
 */
export const API_VERSIONS: readonly ReleasedVersion[] = [{ version: API_VERSION }];
