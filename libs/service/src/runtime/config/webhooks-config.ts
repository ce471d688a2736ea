import { ConfigError } from '../settings/config-error.js';
import { duration, durations, list, secrets } from '../settings/values.js';
import { resolver } from '../settings/addresses.js';
import { type Variable } from '../settings/variable.js';
import { AddressRanges } from './address-ranges.js';

import type { WebhooksConfig } from './config.js';

/** 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. SPEC §6.2 */
const RETRIES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DISABLE_AFTER_SECONDS = 5 * 86_400;
const MAX_RETRIES = 20;
const MAX_SECONDS = 2_592_000;

export function webhooksConfig(variable: (name: string) => Variable): WebhooksConfig {
  return {
    keys: secrets(variable('WEBHOOK_KEY')),
    allow: ranges(variable('WEBHOOK_ALLOW')),
    dns: resolver(variable('WEBHOOK_DNS')),
    policy: {
      retriesMs: durations(variable('WEBHOOK_RETRIES'), {
        max: MAX_SECONDS,
        count: MAX_RETRIES,
        fallback: RETRIES_SECONDS,
        example: '5,300,1800',
      }),
      disableAfterMs: duration(variable('WEBHOOK_DISABLE_AFTER'), {
        max: MAX_SECONDS,
        fallback: DISABLE_AFTER_SECONDS,
      }),
    },
  };
}

function ranges(variable: Variable): readonly string[] {
  const blocks = list(variable);
  try {
    new AddressRanges(blocks);
  } catch {
    throw new ConfigError(variable.name, 'must be CIDR blocks, separated by commas', '10.1.0.0/16,fd00::/8');
  }
  return blocks;
}
