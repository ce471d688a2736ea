import type { IncomingMessage } from 'node:http';

import type { Translation } from '../translation.js';
import type { Change, DocumentObject, Place, Target, VersionedAnswer, VersionedEvent } from './change.js';
import { tagOfVersion, tagsWithoutVersion } from './tags-of-version.js';
import { parseTarget, spellTarget, turnLinks, turnTarget } from './target.js';

/** What leads from an older version to the current one. */
export interface VersionTranslationOptions {
  readonly version: string;
  /** From the older version up to the current one. */
  readonly changes: readonly Change[];
  /** Of every answer in the version. */
  readonly headers: Readonly<Record<string, string>>;
  readonly eventsPath: string | undefined;
  readonly documentPath: string | undefined;
  readonly eventIn: (event: VersionedEvent) => VersionedEvent;
  readonly documentIn: (document: DocumentObject) => DocumentObject;
}

/** A change, and where the request is behind it. */
interface Step {
  readonly change: Change;
  readonly place: Place;
}

const CONDITIONS = ['if-match', 'if-none-match'];

/** One request of an older version: it goes up through all changes, and its answer comes down through them. SPEC §9 */
export class VersionTranslation implements Translation {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  private readonly steps: readonly Step[];
  /** Without its query, in the current form. */
  private readonly path: string;

  constructor(
    { method = 'GET', url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
    private readonly options: VersionTranslationOptions,
  ) {
    const single = Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
    const target = parseTarget(url);
    // What cannot be read is refused before any route sees it.
    let request = { method, path: url, query: [], ...target, headers: Object.fromEntries(single.map(this.known)) };
    const first = request;
    this.steps = (target === undefined ? [] : options.changes).map((change) => {
      request = { ...request, ...change.request?.(request) };
      return { change, place: request };
    });
    const isMoved = request.path !== first.path || request.query !== first.query;
    this.url = isMoved ? spellTarget(request) : url;
    this.headers = request.headers;
    this.path = request.path;
  }

  body(body: unknown): unknown {
    return this.steps.reduce((each, { change, place }) => (change.body ? change.body(each, place) : each), body);
  }

  answer(answer: VersionedAnswer, isOwnForm: boolean): VersionedAnswer {
    const { version, headers: own } = this.options;
    const { link: deprecation } = own;
    const steps = isOwnForm ? [] : this.steps;
    const down = steps.reduceRight(
      (each, { change, place }) => change.answer?.(each, place) ?? each,
      isOwnForm ? answer : this.whole(answer),
    );
    const { etag, link, location } = down.headers;
    return {
      ...down,
      headers: {
        ...down.headers,
        ...own,
        ...(typeof etag === 'string' && { etag: tagOfVersion(etag, version) }),
        ...(typeof location === 'string' && { location: turnTarget(location, this.linkDown) }),
        ...(typeof link === 'string' && link !== deprecation && { link: this.links(link, deprecation) }),
      },
    };
  }

  /** Events may be of any kind, and the document is of all: they are turned here, not by each change for itself. */
  private whole(answer: VersionedAnswer): VersionedAnswer {
    const { eventsPath, documentPath, eventIn, documentIn } = this.options;
    const { status, body } = answer;
    if (status !== 200 || !isObject(body)) return answer;
    if (this.path === documentPath) return { ...answer, body: documentIn(body) };
    if (eventsPath === undefined) return answer;
    if (this.path === eventsPath && Array.isArray(body['events']))
      return { ...answer, body: { ...body, events: (body['events'] as VersionedEvent[]).map(eventIn) } };
    if (this.path.startsWith(`${eventsPath}/`)) return { ...answer, body: eventIn(body as unknown as VersionedEvent) };
    return answer;
  }

  private links(links: string, deprecation: string | undefined): string {
    const turned = turnLinks(links, this.linkDown);
    return deprecation === undefined ? turned : `${turned}, ${deprecation}`;
  }

  private readonly linkDown = (target: Target): Target =>
    this.steps.reduceRight((each, { change }) => change.link?.(each) ?? each, target);

  private readonly known = ([name, value]: [string, string]): [string, string] => [
    name,
    CONDITIONS.includes(name) ? tagsWithoutVersion(value, this.options.version) : value,
  ];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
