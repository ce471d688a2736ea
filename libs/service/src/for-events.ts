export { Events } from '@items/events';
export type { EventsPage, EventsRequest, FeedEvent, Visibility } from '@items/events';
