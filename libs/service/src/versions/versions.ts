import { API_VERSIONS } from '@items/dtos/contract';
import { Versions } from '@items/http';

/** The versions of this service. What a new one changes is named here: see docs/versions.md. SPEC §9 */
export const versions = new Versions({
  table: API_VERSIONS,
  changes: {},
  eventsPath: '/events',
  documentPath: '/openapi.json',
});
