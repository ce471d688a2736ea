export { Events } from './events/events.js';
export type { EventsPage, EventsRequest, FeedEvent } from './events/event-feed.js';
export type { Visibility } from './events/visibility.js';
