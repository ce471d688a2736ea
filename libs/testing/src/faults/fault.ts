/** A request as the fault server has received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path with the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** A text is sent unchanged, other values as JSON. */
  readonly body?: unknown;
}

/** The fault of one request. `done`: the service has done its work before the fault. */
export type Fault =
  /** Another response: a 429, a proxy's page. */
  | { readonly kind: 'answer'; readonly done?: boolean; readonly answer: PlainAnswer }
  /** The connection is reset after this number of bytes, including the status line. */
  | { readonly kind: 'reset'; readonly done: boolean; readonly afterBytes: number }
  /** The response stops after this number of bytes, and the connection stays open. */
  | { readonly kind: 'stall'; readonly done: boolean; readonly afterBytes: number }
  /** `Content-Length` is too small, so that the JSON is cut. */
  | { readonly kind: 'short'; readonly done: boolean; readonly bytes: number };

/** Formats a response as HTTP/1.1. */
export function bytesOf({ status, headers = {}, body }: PlainAnswer, contentLength?: number): Buffer {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const length = String(contentLength ?? Buffer.byteLength(text));
  const all = { ...type, connection: 'close', ...(status === 204 ? {} : { 'content-length': length }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${String(status)} Fault\r\n${lines.join('')}\r\n${text}`);
}
