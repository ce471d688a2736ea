import { useState } from 'react';

import type { Session } from './session';

/** Nothing is typed in here: the service asks for the password on a page of its own. */
export function SignIn({ session }: { readonly session: Session }) {
  const [failure, setFailure] = useState(session.failure);
  const start = () => {
    session.login.start().then(
      (url) => location.assign(url),
      (error: Error) => setFailure(error.message),
    );
  };
  return (
    <main className="sign-in">
      <h1>Items console</h1>
      <p>You sign in at {new URL(session.config.baseUrl).host}, and come back here.</p>
      <p role="alert">{failure}</p>
      <button className="primary" onClick={start}>
        Sign in
      </button>
    </main>
  );
}
