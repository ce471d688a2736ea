import { ConfigError, type Variable } from '@items/settings';

/** Whole seconds, or `off`. */
export function maintenance({ name, value = 'off' }: Variable): number | undefined {
  if (value === 'off') return undefined;
  if (!/^[1-9]\d{0,4}$/.test(value))
    throw new ConfigError(name, 'must be "off", or the seconds after which clients may come again, up to 99999', '300');
  return Number(value);
}
