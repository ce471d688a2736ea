import type { SentRequest } from '../http/exchange.js';
import type { SchemaCheck } from './document-schemas.js';
import {
  resolve,
  step,
  type Located,
  type OpenApiDocument,
  type Operation,
  type Parameter,
  type Reference,
} from './openapi-document.js';
import { readText } from './read-text.js';

export class RequestValidator {
  constructor(
    private readonly document: OpenApiDocument,
    private readonly check: SchemaCheck,
  ) {}

  /** Returns the contradictions between a request and the document. @param method in lower case. */
  problems(template: string, method: string, request: SentRequest): string[] {
    const operation = step<Operation>({ value: this.document, pointer: '#' }, 'paths', template, method);
    if (operation === undefined) return [];
    const parameters = this.parametersOf(operation);
    return [
      ...this.queryProblems(parameters, request),
      ...this.headerProblems(parameters, request),
      ...this.bodyProblems(operation, request),
    ];
  }

  private parametersOf(operation: Located<Operation>): Located<Parameter>[] {
    return (operation.value.parameters ?? []).flatMap((_, index) => {
      const place = step<Parameter | Reference>(operation, 'parameters', String(index));
      return place === undefined ? [] : [resolve<Parameter>(this.document, place)];
    });
  }

  private queryProblems(parameters: readonly Located<Parameter>[], { target }: SentRequest): string[] {
    const pairs = [...new URLSearchParams(target.split('?')[1] ?? '')];
    return pairs.flatMap(([name, value]) => {
      const parameter = parameters.find(({ value: known }) => known.in === 'query' && known.name === name);
      return parameter === undefined
        ? [`query parameter ${name} was accepted, but is not documented`]
        : this.valueProblems(parameter, value);
    });
  }

  private headerProblems(parameters: readonly Located<Parameter>[], { headers }: SentRequest): string[] {
    return headers.flatMap(([name, value]) => {
      const wanted = name.toLowerCase();
      const isIt = ({ value: known }: Located<Parameter>): boolean =>
        known.in === 'header' && known.name.toLowerCase() === wanted;
      const parameter = parameters.find(isIt);
      return parameter === undefined ? [] : this.valueProblems(parameter, value);
    });
  }

  private valueProblems(parameter: Located<Parameter>, text: string): string[] {
    const { in: place, name, schema, 'x-lenient': lenient } = parameter.value;
    if (lenient === true) return [];
    const located = step(parameter, 'schema');
    const what = `${place} parameter ${name}, which was accepted,`;
    return located === undefined ? [] : this.check(located, readText(text, schema), what);
  }

  private bodyProblems(operation: Located<Operation>, { body }: SentRequest): string[] {
    const schema = step(operation, 'requestBody', 'content', 'application/json', 'schema');
    if (schema === undefined) return [];
    if (body === undefined) return ['a request without a body was accepted'];
    return this.check(schema, JSON.parse(body.toString('utf8')), 'the request body, which was accepted,');
  }
}
