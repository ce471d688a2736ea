import { createHash } from 'node:crypto';
import { type Answer, everything, type Handler, type Item, rightService } from '../right-service.testing.js';

/**
 * The right service with the rules of HTTP: challenges, `Allow`, `Location`, HEAD, 415, strong ETags and `If-Match`.
 */
export function httpService(items: Map<string, Item>): Handler {
  const right = rightService(everything, items);
  return (request) => {
    const { method, path, headers } = request;
    const isRead = method === 'GET' || method === 'HEAD';
    const asGet = method === 'HEAD' ? { ...request, method: 'GET' } : request;
    const known = right({ ...asGet, method: 'GET', raw: '' });
    const condition = headers['if-match'];
    if (known.status === 200 && isItem(path) && !isRead && condition !== undefined && condition !== etagOf(known)) {
      return withHttp({ status: 412, body: { error: 'The item has changed.' } }, path);
    }
    const isJson = String(headers['content-type']).startsWith('application/json');
    if (['POST', 'PUT'].includes(method) && known.status < 400 && !isJson) {
      return withHttp({ status: 415, body: { error: 'Send JSON.' } }, path);
    }
    return withHttp(right(asGet), path);
  };
}

function withHttp(answer: Answer, path: string): Answer {
  return { ...answer, headers: { ...headersOf(answer, path), ...answer.headers } };
}

function headersOf(answer: Answer, path: string): Record<string, string> {
  const { status, body } = answer;
  if (status === 401) return { 'WWW-Authenticate': 'ApiKey realm="items"' };
  if (status === 405) return { Allow: isItem(path) ? 'GET, HEAD, PUT, DELETE' : 'GET, HEAD, POST' };
  if (status === 201) return { Location: `/items/${(body as Item).id}` };
  return status === 200 && isItem(path) ? { ETag: etagOf(answer) } : {};
}

function etagOf({ body }: Answer): string {
  return `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 16)}"`;
}

function isItem(path: string): boolean {
  return path.startsWith('/items/');
}
