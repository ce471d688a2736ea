import { type CheckRequest } from '../service/exchange.js';
import { type Service } from '../service/service.js';

/** Returns the parts of a curl command, with shell variables instead of credentials. */
export function curlParts(request: CheckRequest, service: Service): string[] {
  const { method = 'GET', as = 'writer' } = request;
  const { body: content } = service.translation.request(request);
  const body = request.raw?.toString() ?? (content === undefined ? undefined : JSON.stringify(content));
  const hasType = Object.keys(request.headers ?? {}).some((name) => name.toLowerCase() === 'content-type');
  const headers = [
    ...service.credentials.shellHeadersOf(as),
    ...(body === undefined || hasType ? [] : [quoted('Content-Type: application/json')]),
    ...Object.entries(request.headers ?? {}).map(([name, value]) => quoted(`${name}: ${value}`)),
  ];
  return [
    'curl -i',
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    quoted(service.urlOf(request)),
    ...headers.map((one) => `-H ${one}`),
    ...(body === undefined ? [] : [`-d ${quoted(shortened(body))}`]),
  ];
}

/** Shortens a body whose fault is its length. */
function shortened(body: string): string {
  return body.length > 4000 ? `${body.slice(0, 100)}… (${body.length} characters)` : body;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
