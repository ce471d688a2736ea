import { Agent as HttpAgent, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

export interface WireRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Buffer | undefined;
  readonly connection?: string | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The connection failed, or the response was late. */
export class NoResponse extends Error {
  override readonly name = 'NoResponse';

  /** @param code The system's code, such as `ECONNREFUSED`, or `TIMEOUT`. */
  constructor(
    message: string,
    readonly code: string,
  ) {
    super(message);
  }
}

const maxBodyBytes = 8 * 1024 * 1024;

/** Plain HTTP: no redirects, no cookies, and no additional headers except the length. */
export class Transport {
  private readonly agents = new Map<string, HttpAgent>();

  constructor(private readonly timeoutMs: number) {}

  async exchange(wire: WireRequest): Promise<WireAnswer> {
    try {
      return await this.attempt(wire);
    } catch (error) {
      if (!(error instanceof NoResponse) || error.code !== 'STALE') throw error;
      // The service may have closed the idle connection, so try a new one. If the new connection is refused, this
      // request may have stopped the service. Then throw the first error, which counts as a dropped connection.
      return await this.attempt(wire, false).catch((again: unknown) => {
        throw again instanceof NoResponse && again.code === 'ECONNREFUSED' ? error : again;
      });
    }
  }

  close(): void {
    for (const agent of this.agents.values()) agent.destroy();
    this.agents.clear();
  }

  private attempt(wire: WireRequest, mayReuse = true): Promise<WireAnswer> {
    const signal = AbortSignal.timeout(this.timeoutMs);
    const length = wire.body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(wire.body)) };
    const send = wire.url.protocol === 'https:' ? httpsRequest : httpRequest;
    return new Promise((resolve, reject) => {
      const request = send(
        wire.url,
        {
          method: wire.method,
          headers: { ...wire.headers, ...length },
          agent: mayReuse ? this.agentFor(wire) : false,
          signal,
        },
        (response) => void readAnswer(response).then(resolve, fail),
      );
      const fail = (error: NodeJS.ErrnoException): void =>
        reject(toNoResponse(error, signal.aborted ? this.timeoutMs / 1000 : undefined, request.reusedSocket));
      request.on('error', fail);
      request.end(wire.body);
    });
  }

  private agentFor({ url, connection = '' }: WireRequest): HttpAgent {
    const known = this.agents.get(connection);
    if (known) return known;
    const Agent = url.protocol === 'https:' ? HttpsAgent : HttpAgent;
    const agent = new Agent({ keepAlive: true, maxSockets: connection === '' ? 16 : 1 });
    this.agents.set(connection, agent);
    return agent;
  }
}

async function readAnswer(response: IncomingMessage): Promise<WireAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) break;
    chunks.push(chunk);
  }
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}

function toNoResponse(
  error: NodeJS.ErrnoException,
  timedOutAfter: number | undefined,
  reusedSocket: boolean,
): NoResponse {
  if (timedOutAfter !== undefined) return new NoResponse(`no response within ${timedOutAfter} s`, 'TIMEOUT');
  const code = error.code ?? 'UNKNOWN';
  const closed = 'the connection was closed without a response';
  if (reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE')) return new NoResponse(closed, 'STALE');
  return new NoResponse(code === 'ECONNRESET' ? closed : error.message, code);
}
