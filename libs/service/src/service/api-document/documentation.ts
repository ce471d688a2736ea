import { OpenApiModule } from '../../document/openapi.module.js';
import type { DynamicModule } from '@nestjs/common';

import { AuthStrategies } from '../../access/auth/strategies/auth-strategies.js';
import { Public } from '../../access/auth/decorators.js';
import { Uncounted } from '../../access/auth/route-access.js';
import type { Composition } from '../composition/composition.js';
import { CONFIG, type Config } from '../../runtime/config/config.js';
import { Permissions } from '../../access/principal/permissions.js';
import { aboutThisApi } from './about-this-api.js';

/** Requires no authentication. Assets below `/docs` do not count against quotas. SPEC §1.1 */
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
