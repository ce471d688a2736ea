import { NotFoundError } from '@items/client';
import { useState } from 'preact/hooks';

import { MemberChanges } from '../changes/changes.js';
import { session } from '../session.js';
import type { Action } from '../document/model.js';
import { pathBelow, splitPath } from '../document/paths.js';
import { ActionForm } from '../forms/action-form.js';
import { ListSection } from '../lists/list-rows.js';
import { Button, Skeleton } from '../parts/elements.js';
import { Failure } from '../parts/failure.js';
import { say } from '../parts/feedback.js';
import { FieldList } from '../parts/value.js';
import { Page } from '../router/page.js';
import { router } from '../router/router.js';
import { memberPath, type Place } from '../router/routes.js';
import { capitalised, labelOf } from '../service/labels.js';
import { Actions } from './actions.js';
import { useMember } from './use-member.js';

export function MemberView({ collection, path }: Place) {
  const { model, may, labels, lists } = session;
  const { version, error, isStale, read, load, show } = useMember(collection, path);
  const [isEditing, setEditing] = useState(false);
  const { replace, remove, actions, children, fields, noun } = collection;
  const subject = version === undefined ? capitalised(noun) : labelOf(collection, version.data);
  if (version !== undefined) labels.learn(collection, [version.data]);
  const isGone = error instanceof NotFoundError;
  const below = model.collections
    .filter((child) => children.includes(child.path))
    .map((child) => ({ collection: child, path: pathBelow(path, child.path) }));
  const leave = (isDeleted: boolean): void => {
    if (!isDeleted) return load();
    lists.forget(collection);
    void router.go(splitPath(path)[0]);
  };
  const endEdit = (): void => {
    setEditing(false);
    document.querySelector<HTMLElement>('main h1')?.focus();
  };
  const head = version && !isEditing && !isGone && (
    <div class="actions">
      {may(replace?.operation, path) && (
        <Button class="button primary" onClick={() => setEditing(true)} children="Edit" />
      )}
      <Actions actions={remove ? [...actions, remove] : actions} path={path} subject={subject} onDone={leave} />
    </div>
  );
  return (
    <Page title={subject} path={path} head={head}>
      {isStale && !isEditing && (
        <p class="notice" role="status">
          Somebody has changed this member. <Button class="link" onClick={load} children="Show the change" />
        </p>
      )}
      {error !== undefined && <Failure error={error} onRetry={isGone ? undefined : load} />}
      {version === undefined && error === undefined && <Skeleton rows={6} />}
      {version && isEditing && replace && (
        <div class="card">
          <ActionForm
            {...{ action: replace, path, base: version, label: `Edit ${subject}`, submit: 'Save', isGuarded: true }}
            readNewest={read}
            onDone={(saved) => {
              show(saved);
              lists.forget(collection);
              say(`${labelOf(collection, saved.data)} is saved.`);
              endEdit();
            }}
            onCancel={() => void router.mayLeave().then((mayLeave) => mayLeave && endEdit())}
          />
        </div>
      )}
      {version && !isEditing && (
        <div class="columns">
          <div>
            <div class="card">
              <FieldList fields={fields} row={version.data} />
            </div>
            {below.map((child) => may(child.collection.list, child.path) && <Child {...child} onDone={load} />)}
          </div>
          <MemberChanges id={splitPath(path)[1]} />
        </div>
      )}
    </Page>
  );
}

function Child({ collection, path, onDone }: Place & { readonly onDone: () => void }) {
  const { lists, may } = session;
  const { create, replace, title } = collection;
  const name = `New ${collection.noun}`;
  // Members that cannot be replaced, such as transitions, are created in a dialog.
  const isShort = replace === undefined && create?.fields.every(({ kind }) => kind !== 'objects');
  const done = (): void => {
    lists.forget(collection);
    onDone();
  };
  return (
    <ListSection collection={collection} path={path}>
      {create && isShort && (
        <Actions actions={[{ ...create, title: name }]} icon="add" path={path} subject={title} onDone={done} />
      )}
      {!isShort && may(create?.operation, path) && (
        <Button icon="add" onClick={() => void router.go(`${path}/new`)} children={name} />
      )}
    </ListSection>
  );
}

/** The form for a new member. @param path Path of the list. */
export function NewView({ collection, action, path }: Place & { readonly action: Action }) {
  const { lists, model } = session;
  const title = `New ${collection.noun}`;
  return (
    <Page title={title} path={`${path}/new`}>
      <div class="card">
        <ActionForm
          {...{ action, path, label: title, submit: 'Save', isGuarded: true }}
          onDone={({ data }) => {
            lists.forget(collection);
            say(`${labelOf(collection, data)} is created.`);
            void router.go(memberPath(model, collection, path, data) ?? path);
          }}
          onCancel={() => void router.go(path)}
        />
      </div>
    </Page>
  );
}
