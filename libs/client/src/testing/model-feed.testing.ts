import { refusal, type PlainAnswer, type ReceivedRequest } from '@items/testing';

/** A minimal feed: positions are numbers as texts, and no request waits. */
export class ModelFeed {
  readonly events: { readonly id: string; readonly type: string; readonly data: object }[] = [];
  /** Positions before this one have expired. */
  oldest = 0;

  add(count: number, type = 'item.created'): void {
    for (let added = 0; added < count; added += 1) {
      this.events.push({ id: String(this.events.length + 1), type, data: { object: {} } });
    }
  }

  handle({ path }: ReceivedRequest): PlainAnswer {
    const { pathname, searchParams } = new URL(path, 'http://feed');
    if (pathname !== '/events') {
      const event = this.events.find(({ id }) => pathname === `/events/${id}`);
      return event === undefined ? refusal(404, 'event_not_found') : { status: 200, body: event };
    }
    const after = Number(searchParams.get('after') ?? 0);
    if (after < this.oldest) return refusal(400, 'expired_cursor');
    const limit = Math.min(Number(searchParams.get('limit') ?? 20), 3);
    const type = searchParams.get('type');
    const events = this.events.slice(after).filter((event) => type === null || event.type === type);
    const page = events.slice(0, limit);
    const position = events.length > limit ? page.at(-1)?.id : String(Math.max(this.events.length, after));
    return { status: 200, body: { events: page, limit, after: position } };
  }
}
