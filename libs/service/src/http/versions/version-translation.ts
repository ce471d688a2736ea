import type { IncomingMessage } from 'node:http';

import { parseQuery } from '@items/conventions';

import { parseEntityTags } from '../request/conditional.js';
import type { TranslatedResponse, Translation } from '../request/translate.js';
import type { Change, Endpoint, Target } from './change.js';

export interface VersionTranslationOptions {
  readonly version: string;
  readonly changes: readonly Change[];
  readonly headers: Readonly<Record<string, string>>;
  readonly basePath: string;
  /** Called for the body of a 200: translates events and the OpenAPI document, and returns other bodies unchanged. */
  readonly translateResources: (path: string, body: Readonly<Record<string, unknown>>) => unknown;
}

interface Step {
  readonly change: Change;
  readonly endpoint: Endpoint;
}

const CONDITIONS = ['if-match', 'if-none-match'];

/** Translates a request of an older version up, and its response down, through all changes. SPEC §9 */
export class VersionTranslation implements Translation {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  private readonly steps: readonly Step[];
  private readonly path: string;
  /** Suffix of the entity tags of this version: each version represents the same state differently. RFC 9110 §8.8.3 */
  private readonly tagEnd: string;

  constructor(
    { method = 'GET', url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    private readonly options: VersionTranslationOptions,
  ) {
    this.tagEnd = `;${options.version}"`;
    const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const known = single.map(([name, value]) => [name, CONDITIONS.includes(name) ? this.tagsUp(value) : value]);
    const target = parseTarget(url);
    // An unreadable target stays unchanged: the edge refuses it.
    const first = {
      method,
      path: url,
      query: [],
      ...target,
      headers: Object.fromEntries(known) as typeof this.headers,
    };
    let request = first;
    this.steps = (target === undefined ? [] : options.changes).map((change) => {
      request = { ...request, ...change.request?.(request) };
      return { change, endpoint: request };
    });
    const isMoved = request.path !== first.path || request.query !== first.query;
    this.url = isMoved ? spellTarget(request) : url;
    this.headers = request.headers;
    this.path = request.path;
  }

  body(body: unknown): unknown {
    return this.steps.reduce((each, { change, endpoint }) => (change.body ? change.body(each, endpoint) : each), body);
  }

  response(response: TranslatedResponse, isInClientVersion: boolean): TranslatedResponse {
    const { headers: own, translateResources } = this.options;
    const isObject = typeof response.body === 'object' && response.body !== null && !Array.isArray(response.body);
    const isWhole = !isInClientVersion && response.status === 200 && isObject;
    const given = isWhole
      ? { ...response, body: translateResources(this.path, response.body as Record<string, unknown>) }
      : response;
    const down = (isInClientVersion ? [] : this.steps).reduceRight(
      (each, { change, endpoint }) => change.response?.(each, endpoint) ?? each,
      given,
    );
    const { etag, link, location } = down.headers;
    return {
      ...down,
      headers: {
        ...down.headers,
        ...own,
        ...(typeof etag === 'string' && etag.endsWith('"') && { etag: etag.slice(0, -1) + this.tagEnd }),
        ...(typeof location === 'string' && { location: this.targetDown(location) }),
        ...(typeof link === 'string' && link !== own['link'] && { link: this.linksDown(link) }),
      },
    };
  }

  /**
   * Removes the version from tags of this version. Other tags name other representations, and become tags that match
   * nothing. An invalid list stays unchanged, and is refused later.
   */
  private tagsUp(value: string): string {
    let tags: ReturnType<typeof parseEntityTags>;
    try {
      tags = parseEntityTags('If-Match', value);
    } catch {
      return value;
    }
    if (tags === '*') return value;
    const own = (tag: string): string => `${tag.slice(0, -this.tagEnd.length)}"`;
    return tags.map((tag) => (tag.endsWith(this.tagEnd) ? own(tag) : `${tag.slice(0, -1)};-"`)).join(', ');
  }

  /** @param links as `linkHeader` of `@items/paging` writes them: no target contains `<` or `>`. */
  private linksDown(links: string): string {
    const translated = links.replace(/<([^<>]*)>/g, (_, target: string) => `<${this.targetDown(target)}>`);
    return [translated, this.options.headers['link']].filter((each) => each !== undefined).join(', ');
  }

  private targetDown(url: string): string {
    const { basePath } = this.options;
    const target = url.startsWith(`${basePath}/`) ? parseTarget(url.slice(basePath.length)) : undefined;
    if (target === undefined) return url;
    const translated = this.steps.reduceRight<Target>((each, { change }) => change.link?.(each) ?? each, target);
    return translated === target ? url : basePath + spellTarget(translated);
  }
}

/** @returns undefined for an invalid query encoding, which the edge refuses. */
function parseTarget(url: string): Target | undefined {
  const [path = '', ...query] = url.split('?');
  try {
    return { path, query: query.length === 0 ? [] : parseQuery(query.join('?')) };
  } catch {
    return undefined;
  }
}

function spellTarget({ path, query }: Target): string {
  if (query.length === 0) return path;
  return `${path}?${query.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;
}
