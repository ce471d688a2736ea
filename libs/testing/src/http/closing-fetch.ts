/** Remains the original even if a test replaces `fetch`. */
const keepingFetch = globalThis.fetch;

/** Does not keep the connection: a stopping service would wait for further requests on it. */
export const closingFetch: typeof fetch = (url, init) => {
  const headers = new Headers(init?.headers);
  headers.set('connection', 'close');
  return keepingFetch(url, { ...init, headers });
};
