import { AuthenticationError } from '@items/client';
import type { JSX } from 'preact';

import { useConsole } from '../console.js';
import { sentenceOf } from '../service/sentence.js';
import { signIn } from '../service/session.js';
import { Icon } from './icon.js';

/** An error with what can be done about it. */
export function Failure({ error, onRetry }: { error: unknown; onRetry?: () => void }): JSX.Element {
  const { login, settings } = useConsole();
  const isSignedOut = error instanceof AuthenticationError;
  return (
    <div class="failure" role="alert">
      <Icon name="error" />
      <p>{isSignedOut ? 'Your login has ended. Sign in again to continue here.' : sentenceOf(error)}</p>
      {isSignedOut ? (
        <button type="button" class="button" onClick={() => void signIn(login, settings)}>
          Sign in
        </button>
      ) : (
        onRetry && (
          <button type="button" class="button" onClick={onRetry}>
            Try again
          </button>
        )
      )}
    </div>
  );
}
