import { type Translation } from './translation.js';
import { CannotJudge, ServiceGone } from '../verdict.js';
import { type Created } from './created.js';
import { type Credentials } from './credentials.js';
import { type CheckRequest, type Exchange, header } from './exchange.js';
import { waitBeforeRepeat } from './quota.js';
import { NoResponse, type Transport } from './transport.js';

const longestWaitSeconds = 900;
const maxAttempts = 8;
const restartAttempts = 6;
const restartPauseMs = 500;
const userAgent = 'items-conformance (https://www.npmjs.com/package/@items/conformance)';

/** Sends requests. After a 429, waits, repeats the request, and records the 429 for the checks of §8. */
export class Service {
  /** Responses with quota headers or status 429. Only the first 2 000 are stored, to limit memory. */
  readonly quotaResponses: Exchange[] = [];
  /** Refusals because of an exhausted quota, with a status other than 429. */
  readonly quotaByOtherStatus: Exchange[] = [];
  /** Requests whose connection was dropped without a response, with status 0. */
  readonly dropped: Exchange[] = [];
  /** Pages that made a walk endless, such as by a `next_cursor` of an earlier page. */
  readonly endlessPages: Exchange[] = [];
  /** Pages with more rows than a walk requested. */
  readonly oversized: Readonly<Record<'offset' | 'cursor', Exchange[]>> = { offset: [], cursor: [] };
  last: Exchange | undefined;
  private isGone = false;

  constructor(
    readonly baseUrl: string,
    readonly credentials: Credentials,
    private readonly transport: Transport,
    private readonly created: Created,
    readonly sleep: (ms: number) => Promise<void>,
    readonly translation: Translation,
    private readonly onWait: (seconds: number) => void = () => undefined,
  ) {}

  async send(request: CheckRequest): Promise<Exchange> {
    let refused: Exchange | undefined;
    for (let attempt = 0; ; attempt++) {
      const exchange = await this.once(request);
      const wait = waitBeforeRepeat(exchange, attempt, Date.now());
      if (wait === undefined) {
        if (refused && refused.status !== exchange.status && exhaustedByOtherStatus(refused)) {
          this.quotaByOtherStatus.push(refused);
        }
        return exchange;
      }
      if (wait > longestWaitSeconds || attempt === maxAttempts) {
        throw new CannotJudge(`The quota is exceeded: the next attempt would be in ${Math.ceil(wait)} s.`);
      }
      refused ??= exchange;
      if (exchange.status === 429) this.onWait(wait);
      await this.sleep(wait * 1000);
    }
  }

  get(path: string, request: Omit<CheckRequest, 'path'> = {}): Promise<Exchange> {
    return this.send({ ...request, path });
  }

  /** Returns a URL with the service's path prefix and names. */
  urlOf({ path }: Pick<CheckRequest, 'path'>): string {
    return `${this.baseUrl}${this.translation.path(path)}`;
  }

  private async once(request: CheckRequest): Promise<Exchange> {
    const { body: content } = this.translation.request(request);
    const body = request.raw ?? (content === undefined ? undefined : JSON.stringify(content));
    const { status, headers, text } = await this.answerTo(request, body);
    const exchange = { request, status, headers, text, json: this.translation.json(request, status, parsed(text)) };
    this.last = exchange;
    if (status === 0) this.dropped.push(exchange);
    this.created.note(exchange);
    if (this.quotaResponses.length < 2000 && statesQuota(exchange)) this.quotaResponses.push(exchange);
    return exchange;
  }

  private async answerTo(request: CheckRequest, body: string | Buffer | undefined): ReturnType<Transport['exchange']> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.attempt(request, body);
      } catch (error) {
        if (!(error instanceof NoResponse)) throw error;
        if (this.last && error.code !== 'ECONNREFUSED') return { status: 0, headers: {}, text: error.message };
        if (this.dropped.length === 0) throw new CannotJudge(`Nothing answers at ${this.baseUrl}: ${error.message}.`);
        this.isGone ||= attempt === restartAttempts;
        if (this.isGone) throw new ServiceGone('the service is gone since 7.response.sent failed');
        await this.sleep(restartPauseMs);
      }
    }
  }

  private attempt(request: CheckRequest, body: string | Buffer | undefined): ReturnType<Transport['exchange']> {
    return this.transport.exchange({
      method: request.method ?? 'GET',
      url: new URL(this.urlOf(request)),
      headers: {
        'User-Agent': userAgent,
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...this.credentials.headersOf(request.as ?? 'writer'),
        ...request.headers,
      },
      body,
      // A service may bind a connection to one caller, so callers share a connection only if a check names one.
      connection: request.connection ?? (request.as === 'writer' ? undefined : request.as),
    });
  }
}

function exhaustedByOtherStatus(exchange: Exchange): boolean {
  return exchange.status !== 429 && header(exchange, 'x-ratelimit-remaining')?.trim() === '0';
}

function statesQuota(exchange: Exchange): boolean {
  return (
    exchange.status === 429 || ['limit', 'remaining', 'reset'].some((name) => header(exchange, `x-ratelimit-${name}`))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
