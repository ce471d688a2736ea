import { QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { AuthenticationError } from '@items/client';

import { App } from './app';
import { openSession } from './session';
import { SignIn } from './sign-in';
import './style.css';

// What somebody did while offline is refused there and then, not done at some later time.
const queries = new QueryClient({
  defaultOptions: { mutations: { networkMode: 'always' } },
  // The App reads its user again, and says that the login has ended.
  queryCache: new QueryCache({
    onError: (error, { queryKey }) => {
      const isOfApp = queryKey[1] === 'me';
      if (error instanceof AuthenticationError && !isOfApp)
        void queries.invalidateQueries({ queryKey: ['users', 'me'] });
    },
  }),
});
const root = createRoot(document.getElementById('root') as HTMLElement);
try {
  const session = await openSession();
  root.render(
    session.client === undefined ? (
      <SignIn session={session} />
    ) : (
      <QueryClientProvider client={queries}>
        <App login={session.login} client={session.client} baseUrl={session.config.baseUrl} />
      </QueryClientProvider>
    ),
  );
} catch (error) {
  root.render(<p role="alert">The console could not start: {(error as Error).message}</p>);
}
