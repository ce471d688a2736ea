import type { Answer } from '../http/answer.js';
import type { Exchange } from '../http/exchange.js';
import { documentSchemas, type SchemaCheck } from './document-schemas.js';
import {
  resolve,
  step,
  type HeaderObject,
  type Located,
  type OpenApiDocument,
  type Operation,
  type Reference,
  type Response,
} from './openapi-document.js';
import { readText } from './read-text.js';
import { RequestValidator } from './request-validator.js';

/** Headers that belong to the transport or to the body, not to the interface. */
const TRANSPORT = new Set(['connection', 'content-length', 'content-type', 'date', 'keep-alive', 'transfer-encoding']);

/**
 * Checks responses against the OpenAPI document of a service, and the requests that it accepted: the document must
 * allow each request with a 2xx response.
 */
export class OpenApiValidator {
  private readonly check: SchemaCheck;
  private readonly requests: RequestValidator;
  private readonly templates: readonly { readonly template: string; readonly pattern: RegExp }[];

  constructor(private readonly document: OpenApiDocument) {
    this.check = documentSchemas(document);
    this.requests = new RequestValidator(document, this.check);
    this.templates = Object.keys(document.paths)
      .sort((a, b) => a.split('{').length - b.split('{').length)
      .map((template) => ({ template, pattern: patternOf(template) }));
  }

  /** Returns the contradictions between a response and the document. */
  problems({ request, answer }: Exchange): string[] {
    const path = decoded(request.target.split('?')[0] ?? '');
    const template = this.templates.find(({ pattern }) => pattern.test(path))?.template;
    // The document describes HEAD by GET; the response has no body. RFC 9110 §9.3.2
    const method = request.method === 'HEAD' ? 'get' : request.method.toLowerCase();
    const operation = this.operationOf(template, method);
    const name = `${request.method} ${template ?? '(any other path)'}`;
    if (operation === undefined) return [`${name} is not documented`];
    const response = this.responseOf(operation, answer.status);
    if (response === undefined) return [`${name} → ${String(answer.status)} is not documented`];
    const isSuccess = answer.status >= 200 && answer.status < 300;
    return [
      ...this.headerProblems(response, answer),
      ...(request.method === 'HEAD' ? [] : this.bodyProblems(response, answer)),
      ...(isSuccess && template !== undefined ? this.requests.problems(template, method, request) : []),
    ].map((problem) => `${name} → ${String(answer.status)}: ${problem}`);
  }

  private operationOf(template: string | undefined, method: string): Located<Operation> | undefined {
    const root: Located<unknown> = { value: this.document, pointer: '#' };
    if (template === undefined) return step(root, 'x-other-paths');
    const item = step(root, 'paths', template);
    return item && (step<Operation>(item, method) ?? step<Operation>(item, 'x-other-methods'));
  }

  private responseOf(operation: Located<Operation>, status: number): Located<Response> | undefined {
    const names = [String(status), `${String(status).charAt(0)}XX`, 'default'];
    for (const name of names) {
      const found = step<Response | Reference>(operation, 'responses', name);
      if (found !== undefined) return resolve<Response>(this.document, found);
    }
    return undefined;
  }

  private headerProblems(response: Located<Response>, answer: Answer): string[] {
    const documented = Object.keys(response.value.headers ?? {});
    const known = new Set(documented.map((name) => name.toLowerCase()));
    const unknown = answer.headers
      .map(([name]) => name.toLowerCase())
      .filter((name) => !known.has(name) && !TRANSPORT.has(name))
      .map((name) => `header ${name} is not documented`);
    return [...unknown, ...documented.flatMap((name) => this.oneHeaderProblems(response, name, answer))];
  }

  private oneHeaderProblems(response: Located<Response>, name: string, answer: Answer): string[] {
    const place = step<HeaderObject | Reference>(response, 'headers', name);
    if (place === undefined) return [];
    const header = resolve<HeaderObject>(this.document, place);
    const value = answer.header(name);
    if (value === undefined) return header.value.required === true ? [`header ${name} is missing`] : [];
    const schema = step(header, 'schema');
    return schema === undefined ? [] : this.check(schema, readText(value, header.value.schema), `header ${name}`);
  }

  private bodyProblems(response: Located<Response>, answer: Answer): string[] {
    if (answer.body.length === 0) return response.value.content === undefined ? [] : ['the body is missing'];
    const type = (answer.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
    const media = step(response, 'content', type);
    if (media === undefined) return [`a body of type "${type}" is not documented`];
    const schema = step(media, 'schema');
    return schema === undefined ? [] : this.check(schema, isJson(type) ? answer.json() : answer.text, 'body');
  }
}

function patternOf(template: string): RegExp {
  const parts = template.split(/\{[^{}]+\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

/** Decodes a path as a router does, except for encoded slashes. */
function decoded(path: string): string {
  try {
    return path
      .split('/')
      .map((part) => decodeURIComponent(part).replaceAll('/', '%2F'))
      .join('/');
  } catch {
    return path;
  }
}

function isJson(type: string): boolean {
  return /^application\/([a-z.-]+\+)?json$/.test(type);
}
