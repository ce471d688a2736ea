import type { QuickStartStep } from '@items/service/openapi';

/** The key is the admin key that the first start printed. */
export function quickStart(baseUrl: string): readonly QuickStartStep[] {
  const key = '-H "X-API-Key: $ADMIN_API_KEY"';
  return [
    { says: 'Put a key where the next commands find it:', command: "export ADMIN_API_KEY='itk_…'" },
    {
      says: 'Create an item:',
      command: `curl -i ${baseUrl}/items ${key} \\
  -H 'Content-Type: application/json' -d '{"name": "Blue mug", "color": "blue", "price": 12.5}'`,
    },
    {
      says: 'List the cheapest blue ones:',
      command: `curl '${baseUrl}/items?color=blue&sort=price&limit=20' ${key}`,
    },
    {
      says: 'Make a key that may only read:',
      command: `curl ${baseUrl}/api-keys ${key} \\
  -H 'Content-Type: application/json' -d '{"name": "Web shop", "scopes": ["items:read"]}'`,
    },
  ];
}
