import { AddressRanges } from '@items/webhooks';
import { isIP } from 'node:net';

import { ConfigError, type WebhooksConfig } from './config.js';
import { list, secret, type Variable } from './values.js';

const MIN_SECRET_LENGTH = 32;
/** 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h. SPEC §6.2 */
const RETRIES_SECONDS = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
const DISABLE_AFTER_SECONDS = 5 * 86_400;
const MAX_RETRIES = 20;
const MAX_SECONDS = 2_592_000;

/** Reads the settings of webhooks. @throws {ConfigError} */
export function webhooksConfig(variable: (name: string) => Variable): WebhooksConfig {
  const keys = variable('WEBHOOK_KEY');
  return {
    keys: list(keys).map((value) => secret({ name: keys.name, value }, MIN_SECRET_LENGTH) ?? value),
    allow: ranges(variable('WEBHOOK_ALLOW')),
    dns: resolver(variable('WEBHOOK_DNS')),
    policy: {
      retriesMs: retries(variable('WEBHOOK_RETRIES')),
      disableAfterMs: disableAfter(variable('WEBHOOK_DISABLE_AFTER')),
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

function resolver({ name, value }: Variable): string | undefined {
  if (value === undefined) return undefined;
  const end = value.lastIndexOf(':');
  const host = value.slice(0, end).replace(/^\[(.*)\]$/, '$1');
  const port = value.slice(end + 1);
  if (isIP(host) === 0 || !/^\d{1,5}$/.test(port) || Number(port) < 1 || Number(port) > 65_535) {
    throw new ConfigError(name, 'must be the address and the port of a resolver', '127.0.0.1:5353');
  }
  return value;
}

function retries(variable: Variable): readonly number[] {
  const delays = variable.value === undefined ? RETRIES_SECONDS : list(variable).map(seconds);
  if (delays.length > MAX_RETRIES || delays.some((delay) => delay === undefined)) {
    const problem = `must be at most ${String(MAX_RETRIES)} numbers of seconds, separated by commas`;
    throw new ConfigError(variable.name, problem, '5,300,1800');
  }
  return delays.map((delay) => (delay ?? 0) * 1000);
}

function disableAfter({ name, value }: Variable): number {
  const delay = value === undefined ? DISABLE_AFTER_SECONDS : seconds(value);
  if (delay === undefined) {
    throw new ConfigError(name, `must be a number of seconds, at most ${String(MAX_SECONDS)}`, '432000');
  }
  return delay * 1000;
}

/** Perhaps with a fraction: more than none. */
function seconds(text: string): number | undefined {
  const number = Number(text);
  return /^\d{1,7}(?:\.\d{1,9})?$/.test(text) && number > 0 && number <= MAX_SECONDS ? number : undefined;
}
