import type { DynamicModule } from '@nestjs/common';

import { AccessTable } from '../../access/auth/access-table.js';
import { Public } from '../../access/auth/decorators.js';
import { Uncounted } from '../../access/auth/route-access.js';
import { AuthStrategies } from '../../access/auth/strategies/auth-strategies.js';
import { CredentialInUrlError, HttpsRequiredError } from '../../access/errors/access-errors.js';
import { showsPages, speaksOauth } from '../../access/exchange/path-prefixes.js';
import { oauthErrors, pageErrors } from '../../access/oauth/error-forms.js';
import { Permissions } from '../../access/principal/permissions.js';
import type { OpenApiOptions } from '../../document/openapi-options.js';
import { OpenApiModule } from '../../document/openapi.module.js';
import { kindsOf } from '../../feed/event-kinds.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import type { Composition } from '../composition/composition.js';
import { accessOf } from './access-of.js';
import { withEnumOverrides } from './enum-overrides.js';
import { infoOf, withoutUnusedCurrency } from './info.js';

/** Tags of the routes that every service has: access, then operations. */
const BUILT_IN_TAGS = [
  ...['Users', 'API keys', 'Clients', 'Sessions', 'Grants', 'OAuth 2.0'],
  ...['Events', 'Webhooks', 'Deliveries', 'Audit', 'Health', 'Documentation'],
];

/** Routes of the document, without authentication. Assets below `/docs` do not count against quotas. SPEC §1.1 */
export function documentation(composition: Composition): DynamicModule {
  return OpenApiModule.forRootAsync({
    inject: [CONFIG, Permissions, AuthStrategies],
    useFactory: (config: Config, permissions: Permissions, strategies: AuthStrategies) =>
      aboutThisApi(config, composition, permissions, strategies),
    documents: [Public()],
    files: [Public(), Uncounted()],
    icon: [Public(), Uncounted()],
    versions: [Public(), Uncounted()],
  });
}

function aboutThisApi(
  config: Config,
  composition: Composition,
  permissions: Permissions,
  strategies: AuthStrategies,
): OpenApiOptions {
  const table = new AccessTable(composition.access);
  const kinds = composition.modules.flatMap(({ collection }) => kindsOf(collection));
  return {
    info: { ...infoOf(config, permissions.scopes, strategies.offeredHeaders), ...composition.info },
    baseUrl: config.baseUrl,
    home: '/docs',
    versions: config.versions.supported,
    versionNotes: (version) => config.versions.notesOf(version),
    securitySchemes: strategies.securitySchemes(permissions.scopes),
    lastTags: BUILT_IN_TAGS,
    finish: (document) => withoutUnusedCurrency(withEnumOverrides(document, permissions, kinds)),
    access: (route) => accessOf(route, strategies, table),
    refusals: [new HttpsRequiredError(), new CredentialInUrlError(), strategies.ambiguous()],
    errorFormAt: (path) => {
      if (showsPages(path)) return pageErrors;
      return speaksOauth(path) ? oauthErrors : undefined;
    },
    headers: {
      Location: { example: '/items/019a9f3e-5c7a-7d31-8b52-0e6a4f1c9d27' },
      Link: { example: '</items?page=2&per_page=20>; rel="next"' },
      'WWW-Authenticate': { example: 'ApiKey realm="items", header="X-API-Key"' },
      'Set-Cookie': {
        description: 'Holds the login of a browser on the pages of the service.',
        schema: { type: 'string', maxLength: 4096 },
        example: `${config.serviceName}_page=k3Xz; path=/oauth; httponly`,
      },
    },
    pathParameters: {
      version: {
        description: 'A version; one that never was is 404.',
        example: config.versions.current,
      },
      user_id: '`me` is the user of the credential. Only administrators may name another user; others get 403.',
    },
    console: config.console,
    quickStart: composition.quickStart(config.baseUrl),
  };
}
