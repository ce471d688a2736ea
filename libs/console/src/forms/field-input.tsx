import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

import type { Field, FieldKind } from '../document/field.js';
import { Button, FieldName } from '../parts/elements.js';
import { session } from '../session.js';
import { draftOf, type Draft, type DraftObject } from './draft.js';
import { ReferenceInput } from './reference-input.js';

export interface InputEvent {
  readonly currentTarget: { readonly value: string };
}

interface Props<D = Draft> {
  readonly field: Field;
  /** Path of the field, as in errors: `lines.0.quantity`. */
  readonly path: string;
  readonly draft: D;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: Draft) => void;
}

export function FieldInput(props: Props) {
  const { field, path, draft, errors } = props;
  const { kind, name, isRequired } = field;
  const id = useId();
  const error = errors[path];
  const hint = [field.description, kind === 'texts' && 'One on each line.'].filter(Boolean).join(' ');
  const noteIds = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ') || undefined;
  const label = { class: isRequired ? 'required' : '', children: <FieldName name={name} /> };
  const notes = (
    <>
      {hint && <p class="hint" id={`${id}-hint`} children={hint} />}
      {error && <p class="error" id={`${id}-error`} children={error} />}
    </>
  );
  if (kind === 'object' || kind === 'objects' || kind === 'choices') {
    return (
      <fieldset class={kind === 'choices' ? 'field' : 'group'} aria-describedby={noteIds}>
        <legend {...label} />
        {kind === 'choices' && <Choices {...props} draft={draft as readonly string[]} />}
        {kind === 'object' && <Inputs {...props} draft={draft as DraftObject} />}
        {kind === 'objects' && <Entries {...props} draft={draft as readonly DraftObject[]} />}
        {notes}
      </fieldset>
    );
  }
  const aria = { 'aria-invalid': error !== undefined, 'aria-required': isRequired, 'aria-describedby': noteIds };
  return (
    <div class={typeof draft === 'boolean' ? 'field box' : 'field'}>
      <label for={id} {...label} />
      <Control {...props} shared={{ id, name: path, ...aria }} />
      {notes}
    </div>
  );
}

/** Prevents the keyboard of a phone from changing the text, because the service compares it exactly. */
export const EXACT = { autocapitalize: 'none', autocomplete: 'off', autocorrect: 'off', spellcheck: false } as const;
const AMOUNT = { class: 'short', inputMode: 'decimal', autocomplete: 'off' } as const;
const INPUTS: Readonly<Partial<Record<FieldKind, JSX.IntrinsicElements['input']>>> = {
  number: AMOUNT,
  money: AMOUNT,
  time: { type: 'datetime-local', step: 'any' },
};

function Control({ field, draft, shared, onChange }: Props & { readonly shared: object }) {
  const { kind, name, isRequired, isNullable } = field;
  if (typeof draft === 'boolean') {
    return <input {...shared} type="checkbox" checked={draft} onChange={() => onChange(!draft)} />;
  }
  const value = draft as string;
  const text = { ...shared, value, onInput: ({ currentTarget }: InputEvent) => onChange(currentTarget.value) };
  if (kind === 'flag' || kind === 'choice') {
    const choices = kind === 'flag' ? ['true', 'false'] : field.choices;
    const isOpen = isNullable || !isRequired || value === '';
    const none = isRequired ? 'Choose …' : '–';
    return <select {...text} children={<Options choices={choices} none={isOpen ? none : undefined} />} />;
  }
  const collection = field.target && session.model.collections.find(({ path }) => path === field.target);
  if (collection) return <ReferenceInput {...{ shared, collection, value, onChange }} />;
  if (kind === 'long text') return <textarea {...text} rows={4} />;
  if (kind === 'texts' || kind === 'json') return <textarea {...text} {...EXACT} rows={3} />;
  // Password managers distinguish the current password from a new one.
  const password = name.startsWith('current') ? 'current-password' : 'new-password';
  if (kind === 'secret') return <input {...text} type="password" autocomplete={password} />;
  return <input {...{ ...text, ...(INPUTS[kind] ?? { ...EXACT, type: 'text' }) }} />;
}

/** @param none Label of the empty option. */
export function Options({ choices, none }: { readonly choices: readonly string[]; readonly none: string | undefined }) {
  const isFlag = choices.join() === 'true,false';
  return (
    <>
      {none !== undefined && <option value="" children={none} />}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {isFlag ? { true: 'yes', false: 'no' }[choice] : choice}
        </option>
      ))}
    </>
  );
}

function Choices({ field, path, draft, errors, onChange }: Props<readonly string[]>) {
  const toggle = (choice: string): void =>
    onChange(field.choices.filter((each) => (each === choice) !== draft.includes(each)));
  return (
    <div class="choices">
      {field.choices.map((choice) => (
        <label key={choice} class="choice">
          <input
            {...{ type: 'checkbox', 'aria-invalid': path in errors, checked: draft.includes(choice) }}
            onChange={() => toggle(choice)}
          />
          {choice}
        </label>
      ))}
    </div>
  );
}

function Inputs({ field, path, draft, errors, onChange }: Props<DraftObject>) {
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

function Entries({ draft: rows, ...props }: Props<readonly DraftObject[]>) {
  const { field, path, onChange } = props;
  return (
    <>
      {rows.map((row, index) => (
        <div key={index} class="entry" role="group" aria-label={`${field.name} ${index + 1}`}>
          <Inputs
            {...{ ...props, path: `${path}.${index}`, draft: row }}
            onChange={(value) => onChange(rows.with(index, value as DraftObject))}
          />
          {rows.length > 1 && (
            <Button
              {...{ class: 'icon-button', icon: 'close', 'aria-label': `Remove ${field.name} ${index + 1}` }}
              onClick={() => onChange(rows.toSpliced(index, 1))}
            />
          )}
        </div>
      ))}
      <Button icon="add" onClick={() => onChange([...rows, draftOf(field.fields)])} children="Add" />
    </>
  );
}
