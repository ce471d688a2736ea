import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ApiKey, Scope } from '@items/client';
import { createMutation, infiniteQueryOptions, keysOf } from '@items/client/react-query';

import { useConsole } from './context';
import { SecretDialog } from './dialog';
import { EndlessList } from './endless-list';
import { EXACT, Field, Form } from './form';
import { timeText } from './orders';

export function KeysView() {
  const { client, say } = useConsole();
  const queries = useQueryClient();
  const [secret, setSecret] = useState<string | undefined>();
  const create = useMutation(createMutation('api-keys', client.apiKeys, queries));
  const reload = () => queries.invalidateQueries({ queryKey: keysOf('api-keys').all });
  const rotate = useMutation({
    mutationFn: (key: ApiKey) => client.apiKeys.rotate(key.id),
    onSuccess: ({ key }) => setSecret(key),
    onError: (error) => say(error),
    onSettled: reload,
  });
  const remove = useMutation({
    mutationFn: (key: ApiKey) => client.apiKeys.delete(key.id),
    onSuccess: () => say('The key is deleted, and works no longer.'),
    onError: (error) => say(error),
    onSettled: reload,
  });

  return (
    <>
      <Form
        label="New key"
        submit="Create key"
        isEmptied
        onSubmit={async ({ name = '', scopes = '' }) => {
          const list = scopes.split(/[\s,]+/).filter(Boolean) as Scope[];
          const { key } = await create.mutateAsync({ name, ...(list.length > 0 && { scopes: list }) });
          setSecret(key);
        }}
      >
        {(errors) => (
          <>
            <Field label="Name" name="name" {...EXACT} error={errors['name']} />
            <Field label="Scopes (such as items:read orders:read)" name="scopes" {...EXACT} error={errors['scopes']} />
          </>
        )}
      </Form>
      <EndlessList
        label="API keys"
        options={infiniteQueryOptions('api-keys', client.apiKeys, { sort: '-created_at' })}
        rowsOf={(page) => page.api_keys}
      >
        {(key) => (
          <>
            <span className="what">
              <strong>{key.name}</strong> {key.scopes.join(' ')},{' '}
              {key.last_used_at ? `used ${timeText(key.last_used_at)}` : 'never used'}
            </span>
            <span className="actions">
              <button onClick={() => rotate.mutate(key)}>
                New secret<span className="hidden"> for {key.name}</span>
              </button>
              <button onClick={() => confirm(`Delete the key ${key.name}?`) && remove.mutate(key)}>
                Delete<span className="hidden"> {key.name}</span>
              </button>
            </span>
          </>
        )}
      </EndlessList>
      {secret !== undefined && <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />}
    </>
  );
}
