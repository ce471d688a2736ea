/**
 * Formats an HTTP/1.1 request.
 * @param {string} method
 * @param {string} path
 * @param {Record<string, string>} headers
 * @param {object} [body] sent as JSON.
 */
export function httpRequest(method, path, headers, body) {
  const text = body === undefined ? '' : JSON.stringify(body);
  const lines = Object.entries({
    host: '127.0.0.1',
    ...headers,
    ...(body !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
  });
  return `${method} ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${text}`;
}
