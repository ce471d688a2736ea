import { ExpiredCursorError, ItemsApiError, ItemsNetworkError } from '@items/client';

/** An error as a sentence that says what to do. Most of the service's own sentences do. */
export function sentenceOf(error: unknown): string {
  if (error instanceof ItemsNetworkError) return 'The service did not respond. Check your connection, and try again.';
  if (error instanceof ExpiredCursorError) return 'This list has become too old. Reload it.';
  if (error instanceof ItemsApiError) return error.message;
  return error instanceof Error ? error.message : String(error);
}
