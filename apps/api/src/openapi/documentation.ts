import { OpenApiModule } from '@items/openapi';
import { SkipThrottle } from '@nestjs/throttler';

import { Public } from '../auth/public.js';
import { CONFIG } from '../config/config.js';
import { aboutThisApi } from './about-this-api.js';

/** `/openapi.json` and `/docs`, for everybody; what is below `/docs` is not counted. SPEC §1.1 */
export const documentation = OpenApiModule.forRootAsync({
  inject: [CONFIG],
  useFactory: aboutThisApi,
  documents: [Public()],
  files: [Public(), SkipThrottle()],
  versions: [Public(), SkipThrottle()],
});
