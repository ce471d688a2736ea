/** Also where a test puts this one in its place. */
const keepingFetch = globalThis.fetch;

/** Like `fetch`, without keeping the connection: a service that stops would wait for what may still be asked on it. */
export const closingFetch: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('connection', 'close');
  return keepingFetch(url, { ...init, headers });
};
