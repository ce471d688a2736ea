import { API_VERSIONS } from '@items/dtos/contract';
import { Versions } from './versions.js';

/** The versions of this service, each with its changes: see README.md. SPEC §9 */
export const versions = new Versions({
  table: API_VERSIONS,
  changes: {},
});
