import { randomUUID } from 'node:crypto';

import { admin } from '../harness/clients.js';
import { expectStatus } from '../harness/reading.js';
import { createUser } from '../harness/users.js';

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maxLength?: number;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly 'x-references'?: string;
}

interface Document {
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { readonly requestBody: { readonly content: Record<string, { schema: Schema }> } } }
    >
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** Creates a member of any collection by its schema, with its parent and referenced members. */
export async function createMember(name: string): Promise<{ readonly id: string; readonly target: string }> {
  const document = (await admin.get('/openapi.json')).json() as Document;
  const found = Object.entries(document.paths).find(([path]) => path.split('/').at(-1) === name.replaceAll('_', '-'));
  const schema = found?.[1].post?.requestBody.content['application/json']?.schema;
  if (found === undefined || schema === undefined) throw new Error(`No member of ${name} can be created.`);
  const path = await pathOf(found[0]);
  const answer = await admin.post(path, await sampleOf(schema, document));
  expectStatus(answer, 201);
  const { id } = answer.json() as { readonly id: string };
  return { id, target: `${path}/${id}` };
}

async function pathOf(template: string): Promise<string> {
  const [, parent = '', parameter] = template.split('/');
  if (parameter === undefined) return template;
  const { id } = parent === 'users' ? await createUser() : await createMember(parent);
  return template.replace(parameter, id);
}

/** Returns a value that the schema accepts. Texts differ each time, because a key may require it. */
async function sampleOf(schema: Schema, document: Document): Promise<unknown> {
  if (schema.$ref !== undefined) {
    const component = document.components.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return sampleOf(component ?? {}, document);
  }
  if (schema['x-references'] !== undefined) return (await createMember(schema['x-references'])).id;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.type === 'object') {
    const body: Record<string, unknown> = {};
    for (const field of schema.required ?? []) body[field] = await sampleOf(schema.properties?.[field] ?? {}, document);
    return body;
  }
  if (schema.type === 'string' && schema.format === undefined) return randomUUID().slice(0, schema.maxLength);
  if (schema.type === 'array') return [];
  if (schema.type === 'boolean') return true;
  return schema.examples?.[0] ?? schema.minimum ?? 0;
}
