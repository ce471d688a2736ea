import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { FieldName } from '../parts/field-name.js';
import { Icon } from '../parts/icon.js';
import { Control, Legend, nameClass, noteIds, Notes } from './controls.js';
import { draftOf, type Draft, type DraftObject } from './draft.js';

interface Props {
  readonly field: Field;
  /** The name with those of the objects around it, as in errors: `lines.0.quantity`. */
  readonly path: string;
  readonly draft: Draft;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: Draft) => void;
}

/** A field of a form with its label, its hint and its error. */
export function FieldInput(props: Props): JSX.Element {
  const { field, path, draft, errors, onChange } = props;
  const id = useId();
  if (field.kind === 'object' || field.kind === 'objects' || field.kind === 'choices') return <Group {...props} />;
  const [error, hint] = [errors[path], hintOf(field)];
  const shared = {
    ...{ id, name: path, 'aria-invalid': error !== undefined, 'aria-required': field.isRequired },
    'aria-describedby': noteIds(id, hint, error),
  };
  return (
    <div class={typeof draft === 'boolean' ? 'field box' : 'field'}>
      <label for={id} class={nameClass(field)}>
        <FieldName name={field.name} />
      </label>
      <Control {...{ field, draft, onChange, shared }} />
      <Notes {...{ id, hint, error }} />
    </div>
  );
}

/** A field that has several inputs. */
function Group(props: Props): JSX.Element {
  const { field, path, draft, errors } = props;
  const id = useId();
  const [error, hint] = [errors[path], hintOf(field)];
  return (
    <fieldset class={field.kind === 'choices' ? 'field' : 'group'} aria-describedby={noteIds(id, hint, error)}>
      <Legend field={field} />
      {field.kind === 'choices' && <Choices {...props} />}
      {field.kind === 'object' && <Inputs {...props} draft={draft as DraftObject} />}
      {field.kind === 'objects' && <Entries {...props} />}
      <Notes {...{ id, hint, error }} />
    </fieldset>
  );
}

/** Several of few: chosen, not typed. */
function Choices({ field, path, draft, errors, onChange }: Props): JSX.Element {
  const chosen = draft as readonly string[];
  const choose = (choice: string, isChosen: boolean): void =>
    onChange(field.choices.filter((each) => (each === choice ? isChosen : chosen.includes(each))));
  return (
    <div class="choices">
      {field.choices.map((choice) => (
        <label key={choice} class="choice">
          <input
            type="checkbox"
            aria-invalid={path in errors}
            checked={chosen.includes(choice)}
            onChange={({ currentTarget }) => choose(choice, currentTarget.checked)}
          />
          {choice}
        </label>
      ))}
    </div>
  );
}

type InputsProps = Omit<Props, 'draft'> & { readonly draft: DraftObject };

function Inputs({ field, path, draft, errors, onChange }: InputsProps): JSX.Element {
  return (
    <div class="inputs">
      {field.fields.map((each) => (
        <FieldInput
          key={each.name}
          {...{ field: each, errors, path: `${path}.${each.name}`, draft: draft[each.name] ?? '' }}
          onChange={(value) => onChange({ ...draft, [each.name]: value })}
        />
      ))}
    </div>
  );
}

/** A list of objects, such as the lines of an order. */
function Entries({ field, path, draft, errors, onChange }: Props): JSX.Element {
  const rows = draft as readonly DraftObject[];
  return (
    <>
      {rows.map((row, index) => (
        <div key={index} class="entry" role="group" aria-label={`${field.name} ${index + 1}`}>
          <Inputs
            {...{ field, errors, path: `${path}.${index}`, draft: row }}
            onChange={(value) => onChange(rows.with(index, value as DraftObject))}
          />
          {rows.length > 1 && (
            <button
              type="button"
              class="icon-button"
              aria-label={`Remove ${field.name} ${index + 1}`}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            >
              <Icon name="close" />
            </button>
          )}
        </div>
      ))}
      <button type="button" class="button" onClick={() => onChange([...rows, draftOf(field.fields)])}>
        <Icon name="add" /> Add
      </button>
    </>
  );
}

function hintOf({ kind, description }: Field): string | undefined {
  const hint = description?.replaceAll('`', '');
  return kind === 'texts' ? [hint, 'One on each line.'].filter(Boolean).join(' ') : hint;
}
