import type { Answer } from '../http/answer.js';
import { HttpClient } from '../http/http-client.js';
import { TEST_CERTIFICATE } from './test-certificate.js';

/** Longer than the timeout of the proxy for an instance. */
const PATIENCE_MS = 40_000;

/** The outcome of a request. The status is 0 if there was no response; then `reason` explains it. */
export interface Outcome {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>> | undefined;
  readonly etag?: string | undefined;
  readonly reason?: string;
  readonly ms: number;
}

export interface PlainRequest {
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client that never retries and never throws, so that each failure is counted. */
export class PlainClient {
  private readonly client: HttpClient;

  constructor(baseUrl: string, key: string) {
    const secured = baseUrl.startsWith('https:') ? { ca: TEST_CERTIFICATE.cert } : {};
    const headers = [['X-API-Key', key]] as const;
    this.client = new HttpClient({ baseUrl, headers, timeoutMs: PATIENCE_MS, resends: false, ...secured });
  }

  async send(method: string, path: string, { json, headers = {} }: PlainRequest = {}): Promise<Outcome> {
    const begunMs = performance.now();
    const options = { headers: Object.entries(headers), ...(json !== undefined && { json }) };
    const outcome = await this.client.send(method, path, options).then(outcomeOf, failureOf);
    return { ...outcome, ms: performance.now() - begunMs };
  }
}

function outcomeOf(answer: Answer): Omit<Outcome, 'ms'> {
  const outcome = { status: answer.status, etag: answer.header('etag'), body: undefined };
  if (answer.text === '') return outcome;
  try {
    return { ...outcome, body: answer.json() as Record<string, unknown> };
  } catch (error) {
    return { ...outcome, reason: String(error) };
  }
}

function failureOf(error: unknown): Omit<Outcome, 'ms'> {
  const { code, message } = error as NodeJS.ErrnoException;
  return { status: 0, body: undefined, reason: code ?? message };
}
