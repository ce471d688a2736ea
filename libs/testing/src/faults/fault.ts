/** A request as the fault server has received it. */
export interface ReceivedRequest {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A whole answer. */
export interface PlainAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Written as JSON, unless it is a text. */
  readonly body?: unknown;
}

/** What goes wrong with one request. `done`: the service has done what it was asked, before it went wrong. */
export type Fault =
  /** Another answer: a 429, a proxy's page. */
  | { readonly kind: 'answer'; readonly done?: boolean; readonly answer: PlainAnswer }
  /** The answer is reset after so many bytes, its status line included. */
  | { readonly kind: 'reset'; readonly done: boolean; readonly afterBytes: number }
  /** The answer stops after so many bytes, and the connection stays open. */
  | { readonly kind: 'stall'; readonly done: boolean; readonly afterBytes: number }
  /** The answer's `Content-Length` says less than there is, so that its JSON is cut. */
  | { readonly kind: 'short'; readonly done: boolean; readonly bytes: number };

/** The bytes of an answer over HTTP/1.1. */
export function bytesOf({ status, headers = {}, body }: PlainAnswer, contentLength?: number): Buffer {
  const text = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined || typeof body === 'string' ? {} : { 'content-type': 'application/json' };
  const length = String(contentLength ?? Buffer.byteLength(text));
  const all = { ...type, connection: 'close', ...(status === 204 ? {} : { 'content-length': length }), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${String(status)} Fault\r\n${lines.join('')}\r\n${text}`);
}
