import { NotFoundError } from '@items/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';

import { MemberChanges } from '../changes/member-changes.js';
import { useConsole } from '../console.js';
import { mayCall } from '../document/access.js';
import type { Collection } from '../document/collection.js';
import { ownerOf } from '../document/paths.js';
import { Skeleton } from '../lists/list-rows.js';
import { Failure } from '../parts/failure.js';
import { Page } from '../parts/page.js';
import { useStore } from '../parts/store.js';
import { FieldList } from '../parts/value.js';
import { Breadcrumbs } from '../router/breadcrumbs.js';
import { childPath } from '../router/routes.js';
import { capitalised, labelOf } from '../service/labels.js';
import { ActionButtons } from './action-buttons.js';
import { ChildList } from './child-list.js';
import { EditForm } from './edit-form.js';
import { useMember } from './use-member.js';

interface Props {
  readonly collection: Collection;
  readonly path: string;
  readonly id: string;
}

/** One member: its fields, what can be done with it, what is below it, and its changes. */
export function MemberView({ collection, path, id }: Props): JSX.Element {
  const { model, me, labels } = useConsole();
  const member = useMember(collection, path, id);
  const { row, error, isStale } = useStore(member.state);
  const [isEditing, setEditing] = useState(false);
  const owner = ownerOf(collection, path);
  const children = collection.children
    .map((child) => model.collections.find((each) => each.path === child))
    .filter((child) => child !== undefined && mayCall(child.list, me, ownerOf(child, childPath(child, path))));
  const title = row === undefined ? capitalised(collection.noun) : labelOf(collection, row);
  if (row !== undefined) labels.learn(collection, [row]);
  const isGone = error instanceof NotFoundError;
  return (
    <Page title={title}>
      <Breadcrumbs path={path} />
      <div class="page-head">
        <h1 tabIndex={-1}>{title}</h1>
        {row !== undefined && !isEditing && !isGone && (
          <ActionButtons {...{ collection, path, row, owner, member }} onEdit={() => setEditing(true)} />
        )}
      </div>
      {isStale && !isEditing && (
        <p class="notice" role="status">
          Somebody has changed this member.{' '}
          <button type="button" class="link" onClick={() => void member.load()}>
            Show the change
          </button>
        </p>
      )}
      {error !== undefined && <Failure error={error} {...(!isGone && { onRetry: () => void member.load() })} />}
      {row === undefined && error === undefined && <Skeleton rows={6} />}
      {row !== undefined && isEditing && collection.replace !== undefined && (
        <div class="card">
          <EditForm
            {...{ collection, row, member }}
            action={collection.replace}
            onDone={() => {
              setEditing(false);
              document.querySelector<HTMLElement>('main h1')?.focus();
            }}
          />
        </div>
      )}
      {row !== undefined && !isEditing && (
        <div class="columns">
          <div>
            <div class="card">
              <FieldList fields={collection.fields} row={row} />
            </div>
            {children.map(
              (child) =>
                child && (
                  <ChildList key={child.path} collection={child} path={childPath(child, path)} member={member} />
                ),
            )}
          </div>
          <MemberChanges id={id} />
        </div>
      )}
    </Page>
  );
}
