import { readFileSync } from 'node:fs';

import { ORDER_STATUSES } from '@items/dtos/contract';
import { exampleProblems, referenceProblems } from '@items/testing';

import { anonymous } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { describeOnce, service } from '../harness/service.js';

interface Payload {
  readonly type: string;
  readonly data: { readonly object: { readonly status: string }; readonly previous?: object };
}

interface Webhook {
  readonly post: {
    readonly requestBody: {
      readonly content: Readonly<
        Record<string, { readonly examples: { readonly example: { readonly value: Payload } } }>
      >;
    };
  };
}

interface Document {
  readonly webhooks: Readonly<Record<string, Webhook>>;
}

describeOnce('The whole OpenAPI document of items and orders', () => {
  let document: Document;
  beforeAll(() => {
    document = JSON.parse(readFileSync(service.openApiFile ?? '', 'utf8')) as Document;
  });

  it('has no broken reference, and no unused component', () => {
    expect(referenceProblems(document)).toEqual([]);
  });

  it('has a valid example with every schema of a body, a header and a parameter, and valid examples of fields', () => {
    const { problems, judged } = exampleProblems(document);
    expect(problems).toEqual([]);
    expect(judged).toBeGreaterThan(150);
  });

  it.each(ORDER_STATUSES)('has an example of the event that makes an order %s', (status) => {
    const type = status === 'pending' ? 'order.created' : `order.${status}`;
    const example = document.webhooks[type]?.post.requestBody.content['application/json']?.examples.example.value;
    expect(example).toMatchObject({ type, data: { object: { status } } });
    const changed = Object.keys(example?.data.previous ?? {}).sort();
    expect(changed).toEqual(status === 'pending' ? [] : ['status', 'updated_at']);
  });
});

describe('/docs of items and orders', () => {
  it('explains the first steps, and lists the events', async () => {
    const answer = await anonymous.get('/docs');
    expectStatus(answer, 200);
    expect(answer.text).toMatch(/curl -i \S+\/items -H &quot;X-API-Key: \$ADMIN_API_KEY&quot;/);
    expect(answer.text).toContain('<li><code>order.shipped</code>: An order was shipped</li>');
  });
});
