import type { JSX } from 'preact';

import type { Field } from '../document/field.js';
import { FieldName } from '../parts/field-name.js';
import type { Draft } from './draft.js';
import { ReferenceInput, type InputAttributes } from './reference-input.js';

interface Props {
  readonly field: Field;
  readonly draft: Draft;
  readonly shared: InputAttributes;
  readonly onChange: (draft: Draft) => void;
}

/** The input of a field, by its kind. */
export function Control({ field, draft, shared, onChange }: Props): JSX.Element {
  const value = typeof draft === 'string' ? draft : '';
  const text = { ...shared, value, onInput: (event: TextEvent) => onChange(event.currentTarget.value) };
  // A text is compared letter by letter: a phone's keyboard must not change it.
  const exact = {
    ...text,
    autocapitalize: 'none',
    autocomplete: 'off',
    autocorrect: 'off',
    spellcheck: false,
  } as const;
  switch (field.kind) {
    case 'flag':
      if (typeof draft !== 'boolean') return <Select {...{ field, text }} choices={['true', 'false']} />;
      return (
        <input
          {...shared}
          type="checkbox"
          checked={draft}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'choice':
      return <Select {...{ field, text }} choices={field.choices} />;
    case 'reference':
      return <ReferenceInput {...{ shared, value, onChange }} target={field.target ?? ''} />;
    case 'time':
      return <input {...text} type="datetime-local" step="any" />;
    case 'secret':
      // Password managers tell the current password from a new one.
      return <input {...text} type="password" autocomplete={`${/^current/.exec(field.name)?.[0] ?? 'new'}-password`} />;
    case 'long text':
      return <textarea {...text} rows={4} />;
    case 'texts':
    case 'json':
      return <textarea {...exact} rows={3} />;
    case 'number':
    case 'money':
      return <input {...text} class="short" inputMode="decimal" autocomplete="off" />;
    default:
      return <input {...exact} type="text" />;
  }
}

interface TextEvent {
  readonly currentTarget: { readonly value: string };
}

interface SelectProps {
  readonly field: Field;
  readonly choices: readonly string[];
  readonly text: InputAttributes & { readonly value: string; readonly onInput: (event: TextEvent) => void };
}

function Select({ field, choices, text }: SelectProps): JSX.Element {
  const isOpen = field.isNullable || !field.isRequired || text.value === '';
  return (
    <select {...text}>
      {isOpen && <option value="">{field.isRequired ? 'Choose …' : '–'}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {choiceText(choice, field.kind === 'flag')}
        </option>
      ))}
    </select>
  );
}

export function choiceText(choice: string, isFlag: boolean): string {
  if (!isFlag) return choice;
  return choice === 'true' ? 'yes' : 'no';
}

/** The name of a field, marked if it is required. */
export function nameClass({ isRequired }: Field): string {
  return isRequired ? 'required' : '';
}

export function Legend({ field }: { readonly field: Field }): JSX.Element {
  return (
    <legend class={nameClass(field)}>
      <FieldName name={field.name} />
    </legend>
  );
}

/** The hint and the error of a field. {@link noteIds} has their ids, for `aria-describedby`. */
export function Notes({
  id,
  hint,
  error,
}: {
  id: string;
  hint: string | undefined;
  error: string | undefined;
}): JSX.Element {
  return (
    <>
      {hint !== undefined && <p class="hint" id={`${id}-hint`} children={hint} />}
      {error !== undefined && <p class="error" id={`${id}-error`} children={error} />}
    </>
  );
}

/** The ids of {@link Notes}. */
export function noteIds(id: string, hint: string | undefined, error: string | undefined): string | undefined {
  const ids = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean);
  return ids.length === 0 ? undefined : ids.join(' ');
}
