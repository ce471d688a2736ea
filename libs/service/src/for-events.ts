export { Events } from './feed/events.js';
export type { EventsPage, EventsRequest, FeedEvent } from './feed/event-feed.js';
export type { Visibility } from './feed/visibility.js';
