import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Item, ItemInput } from '@items/client';
import {
  createMutation,
  deleteMutation,
  EditConflictError,
  queryOptions,
  replaceMutation,
  type Versioned,
} from '@items/client/react-query';
import { ItemInputDto } from '@items/dtos';
import { validate } from '@items/fields';

import { ConflictDialog } from './conflict-dialog';
import { useConsole } from './context';
import { Dialog } from './dialog';
import { EXACT, Field, Form } from './form';
import { sentenceOf } from './sentence';

interface Props {
  /** Empty: a new one. */
  readonly id: string;
  readonly onClose: () => void;
}

export function ItemEditor({ id, onClose }: Props) {
  const { client } = useConsole();
  const isNew = id === '';
  const { data, error, isLoading, isPaused } = useQuery({
    ...queryOptions('items', client.items, id),
    enabled: !isNew,
    // The user changes what was there when the dialog opened.
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Dialog title={isNew ? 'New item' : 'Edit item'} onClose={onClose}>
      <p role="alert">{error && sentenceOf(error)}</p>
      <p role="status">{isLoading ? 'Loading …' : isPaused ? 'You are offline. It goes on when you are back.' : ''}</p>
      {(isNew || data !== undefined) && <ItemForm seen={data} onClose={onClose} />}
    </Dialog>
  );
}

/** A write that found something newer than what the user has seen. */
interface Conflict {
  readonly input: ItemInput | undefined;
  readonly current: Versioned<Item> | undefined;
}

function ItemForm({
  seen: first,
  onClose,
}: {
  readonly seen: Versioned<Item> | undefined;
  readonly onClose: () => void;
}) {
  const { client, say } = useConsole();
  const queries = useQueryClient();
  const [seen, setSeen] = useState(first);
  const [conflict, setConflict] = useState<Conflict | undefined>();
  const [failure, setFailure] = useState('');
  const create = useMutation(createMutation('items', client.items, queries));
  const replace = useMutation(replaceMutation('items', client.items, queries));
  const remove = useMutation(deleteMutation('items', client.items, queries));

  const done = (what: string) => {
    say(what);
    onClose();
  };
  /** Shows a conflict; everything else belongs to the form. */
  const orConflict = async (write: Promise<unknown>, input: ItemInput | undefined, what: string) => {
    try {
      await write;
      done(what);
    } catch (error) {
      if (!(error instanceof EditConflictError)) throw error;
      setConflict({ input, current: error.current as Versioned<Item> | undefined });
    }
  };
  const save = async (values: Readonly<Record<string, string>>) => {
    const input = validate(ItemInputDto, inputOf(values)) as ItemInput;
    if (seen === undefined) {
      const { name } = await create.mutateAsync(input);
      return done(`${name} is created.`);
    }
    const { data, etag } = seen;
    return orConflict(replace.mutateAsync({ id: data.id, input, etag }), input, `${input.name} is saved.`);
  };
  const resolve = async (takesMine: boolean) => {
    if (conflict === undefined) return;
    const { input, current } = conflict;
    setConflict(undefined);
    setFailure('');
    if (!takesMine) {
      if (current === undefined) return done('The item was deleted.');
      return setSeen(current);
    }
    if (input !== undefined && current === undefined) {
      await create.mutateAsync(input);
      return done(`${input.name} is created again.`);
    }
    if (current === undefined) return done('The item was deleted.');
    const { data, etag } = current;
    if (input === undefined)
      return orConflict(remove.mutateAsync({ id: data.id, etag }), input, 'The item is deleted.');
    return orConflict(replace.mutateAsync({ id: data.id, input, etag }), input, `${input.name} is saved.`);
  };

  const item = seen?.data;
  return (
    <>
      <Form key={seen?.etag} label="Item" submit={item === undefined ? 'Create' : 'Save'} onSubmit={save}>
        {(errors) => (
          <>
            <Field label="Name" name="name" autoComplete="off" defaultValue={item?.name} error={errors['name']} />
            <Field
              label="Description"
              name="description"
              defaultValue={item?.description ?? ''}
              error={errors['description']}
            />
            <Field label="Color" name="color" {...EXACT} defaultValue={item?.color ?? ''} error={errors['color']} />
            <Field
              label="Price"
              name="price"
              inputMode="decimal"
              defaultValue={item?.price ?? ''}
              error={errors['price']}
            />
          </>
        )}
      </Form>
      <p role="alert">{failure}</p>
      {seen !== undefined && (
        <Form
          label="Delete"
          submit="Delete"
          isPlain
          onSubmit={async () => {
            const { data, etag } = seen;
            if (!confirm(`Delete ${data.name}?`)) return;
            await orConflict(remove.mutateAsync({ id: data.id, etag }), undefined, 'The item is deleted.');
          }}
        >
          {() => null}
        </Form>
      )}
      {conflict !== undefined && (
        <ConflictDialog
          mine={conflict.input}
          theirs={conflict.current?.data}
          onResolve={(takesMine) => void resolve(takesMine).catch((error: Error) => setFailure(sentenceOf(error)))}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  );
}

/** What cannot be a price goes on as it was typed, so that the sentence is that of the service. */
function inputOf({ name, description, color, price = '' }: Readonly<Record<string, string>>): object {
  const amount = price.trim() === '' ? null : Number(price);
  return { name, description: description || null, color: color || null, price: Number.isNaN(amount) ? price : amount };
}
