import { closingFetch } from './closing-fetch.js';
import { waitedOut } from './patience.js';

/** The page after all redirects within the service. */
export interface Shown {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Target of a redirect out of the service. */
  readonly left: URL | undefined;
}

interface Cookie {
  readonly value: string;
  readonly path: string;
}

interface Sent {
  readonly method?: 'POST';
  readonly body?: URLSearchParams;
  readonly headers: Readonly<Record<string, string>>;
}

/** The parts of a browser that our pages need: cookies with their paths, redirects, forms. */
export class Browser {
  private readonly cookies = new Map<string, Cookie>();

  /** @param baseUrl origin of the service. @param retriesAfter429 whether to wait after a 429 and repeat the request. */
  constructor(
    private readonly baseUrl: string,
    private readonly retriesAfter429 = false,
  ) {}

  /** `name=value` of every cookie for a path. */
  cookiesFor(path: string): string {
    return [...this.cookies]
      .filter(([, cookie]) => path.startsWith(cookie.path))
      .map(([key, cookie]) => `${key.split(' ')[0] ?? ''}=${cookie.value}`)
      .join('; ');
  }

  get(url: string | URL, headers: Readonly<Record<string, string>> = {}): Promise<Shown> {
    return this.go(new URL(url, this.baseUrl), { headers });
  }

  /** Sends a form with its origin, as a browser does. */
  submit(
    page: Pick<Shown, 'url'>,
    fields: Readonly<Record<string, string>>,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Shown> {
    const own = { origin: this.baseUrl, 'sec-fetch-site': 'same-origin' };
    return this.go(page.url, { method: 'POST', body: new URLSearchParams(fields), headers: { ...own, ...headers } });
  }

  private async go(url: URL, init: Sent): Promise<Shown> {
    const answer = await this.send(url, init);
    for (const line of answer.headers.getSetCookie()) this.keep(line);
    const text = await answer.text();
    const location = answer.headers.get('location');
    const next = location === null ? undefined : new URL(location, url);
    if (next?.origin === this.baseUrl) return this.go(next, { headers: {} });
    return { url, status: answer.status, headers: answer.headers, text, left: next };
  }

  private async send(url: URL, init: Sent): Promise<Response> {
    const cookie = this.cookiesFor(url.pathname);
    const headers = { accept: 'text/html,*/*;q=0.8', ...(cookie !== '' && { cookie }), ...init.headers };
    const answer = await closingFetch(url, { ...init, headers, redirect: 'manual' });
    const again = this.retriesAfter429 && (await waitedOut(answer.status, answer.headers.get('retry-after')));
    return again ? this.send(url, init) : answer;
  }

  private keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const [name = '', value = ''] = pair.split(/=(.*)/s);
    const path = attributes.find((attribute) => /^path=/i.test(attribute))?.slice(5) ?? '/';
    if (value === '') this.cookies.delete(`${name} ${path}`);
    else this.cookies.set(`${name} ${path}`, { value, path });
  }
}
