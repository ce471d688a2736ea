import { createServer, type IncomingHttpHeaders, request as send } from 'node:http';

export interface ProxiedRequest {
  readonly method: string;
  /** Includes the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export interface ProxiedAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** Handles a request wrongly; `right` sends a request to the real service. */
export type Step = (
  request: ProxiedRequest,
  right: (request: ProxiedRequest) => Promise<ProxiedAnswer>,
) => Promise<ProxiedAnswer>;

/** Starts a proxy on a free port. It forwards to `baseUrl` through a wrong step. */
export async function behind(step: Step, baseUrl: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const server = createServer((incoming, response) => {
    void read(incoming)
      .then((body) => {
        const { method = '', url: path = '', headers } = incoming;
        return step({ method, path, headers, body }, (request) => forward(request, baseUrl));
      })
      .then(({ status, headers, text }) => {
        const { 'content-length': _, 'transfer-encoding': __, connection: ___, ...rest } = headers;
        response.writeHead(status, rest).end(text);
      })
      .catch((error: unknown) => response.writeHead(502).end(String(error)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  const stop = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}`, stop };
}

function forward({ method, path, headers, body }: ProxiedRequest, baseUrl: string): Promise<ProxiedAnswer> {
  const length = body.length > 0 ? { 'content-length': String(body.length) } : {};
  const { 'content-length': _, ...rest } = headers;
  return new Promise((resolve, reject) => {
    const request = send(`${baseUrl}${path}`, { method, headers: { ...rest, ...length } }, (response) => {
      void read(response).then(
        (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, text: bytes.toString() }),
        reject,
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

async function read(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
