import { escaped } from '../../http/html.js';

interface Step {
  readonly says: string;
  readonly command: (baseUrl: string) => string;
}

/** From nothing to a walk. The first key is the admin key, which the first start has printed. */
const STEPS: readonly Step[] = [
  { says: 'Put a key where the next commands find it:', command: () => "export ADMIN_API_KEY='itk_…'" },
  {
    says: 'Create an item:',
    command: (baseUrl) => `curl -i ${baseUrl}/items -H "X-API-Key: $ADMIN_API_KEY" \\
  -H 'Content-Type: application/json' -d '{"name": "Blue mug", "color": "blue", "price": 12.5}'`,
  },
  {
    says: 'List the cheapest blue ones:',
    command: (baseUrl) => `curl '${baseUrl}/items?color=blue&sort=price&limit=20' -H "X-API-Key: $ADMIN_API_KEY"`,
  },
  {
    says: 'Make a key that may only read:',
    command: (baseUrl) => `curl ${baseUrl}/api-keys -H "X-API-Key: $ADMIN_API_KEY" \\
  -H 'Content-Type: application/json' -d '{"name": "Web shop", "scopes": ["items:read"]}'`,
  },
];

/** @param baseUrl without a slash at its end. */
export function quickStart(baseUrl: string): string {
  const steps = STEPS.map(({ says, command }) => {
    return `<li>${escaped(says)}<pre tabindex="0"><code>${escaped(command(baseUrl))}</code></pre></li>`;
  });
  return `<ol>\n${steps.join('\n')}\n</ol>`;
}
