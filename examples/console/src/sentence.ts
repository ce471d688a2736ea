import { ExpiredCursorError, ItemsNetworkError, PermissionError } from '@items/client';

/** What somebody can do about an error. Most of the service's sentences say it themselves. */
export function sentenceOf(error: Error): string {
  if (error instanceof ItemsNetworkError) return 'The service did not answer. Check your connection, and try again.';
  if (error instanceof ExpiredCursorError) return 'This list has become too old: reload it.';
  if (error instanceof PermissionError) return `Your login may not do this: ${error.message}`;
  return error.message;
}
