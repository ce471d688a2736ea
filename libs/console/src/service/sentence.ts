import { ExpiredCursorError, ItemsApiError, ItemsNetworkError } from '@items/client';

/** Returns a sentence for an error. Most errors of the service already have one. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ItemsNetworkError) return 'The service did not respond. Check your connection, and try again.';
  if (error instanceof ExpiredCursorError) return 'This list has become too old. Reload it.';
  if (error instanceof ItemsApiError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
