import type { Reading } from './readings.js';

export function maintenanceReading(prefix: string, maintenance: { readonly isOn: boolean }): Reading {
  return {
    type: 'gauge',
    name: `${prefix}_maintenance`,
    help: 'Whether the service is in maintenance (1), and answers 503.',
    read: () => [{ value: maintenance.isOn ? 1 : 0 }],
  };
}
