import { Fragment, type JSX } from 'preact';

/** The name of a field. Underscores look like spaces, but searching and copying find them. */
export function FieldName({ name }: { readonly name: string }): JSX.Element {
  return (
    <span>
      {name.split('_').map((part, index) => (
        <Fragment key={index}>
          {index > 0 && <span class="underscore">_</span>}
          {part}
        </Fragment>
      ))}
    </span>
  );
}
