import { AuthenticationError, ExpiredCursorError, ItemsNetworkError } from '@items/client';

import { signIn } from '../service/login.js';
import { Button, Icon } from './elements.js';

interface Props {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly onLeave?: () => void;
}

export function Failure({ error, onRetry, onLeave }: Props) {
  const isSignedOut = error instanceof AuthenticationError;
  const leave = (): void => {
    onLeave?.();
    void signIn();
  };
  return (
    <div class="failure" role="alert" tabIndex={-1}>
      <Icon name="error" />
      <p>{sentenceOf(error)}</p>
      {isSignedOut && <Button onClick={leave}>Sign in</Button>}
      {!isSignedOut && onRetry && <Button onClick={onRetry}>Try again</Button>}
    </div>
  );
}

/** The messages of other errors are already sentences for users. */
function sentenceOf(error: unknown): string {
  if (error instanceof AuthenticationError)
    return 'Your login has ended. Sign in again to continue here; nothing is lost.';
  if (error instanceof ItemsNetworkError) return 'The service did not respond. Check your connection, and try again.';
  if (error instanceof ExpiredCursorError) return 'This list has become too old. Reload it.';
  return error instanceof Error ? error.message : String(error);
}
