import type { JSX } from 'preact';
import { useId } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { FieldName } from '../parts/field-name.js';
import type { Draft, DraftObject } from './draft.js';
import { FieldSet, ObjectList } from './field-groups.js';
import { ReferenceInput, type InputAttributes } from './reference-input.js';

export interface InputProps {
  readonly field: Field;
  /** The name with those of the objects around it, as in errors: `lines.0.quantity`. */
  readonly path: string;
  readonly draft: Draft;
  readonly errors: Readonly<Record<string, string>>;
  readonly onChange: (draft: Draft) => void;
}

/** A field of a form with its label, its hint and its error. */
export function FieldInput(props: InputProps): JSX.Element {
  const { field, path, draft, errors, onChange } = props;
  const id = useId();
  if (field.kind === 'object') return <FieldSet {...props} draft={draft as DraftObject} />;
  if (field.kind === 'objects') return <ObjectList {...props} rows={draft as readonly DraftObject[]} />;
  if (field.kind === 'choices') return <Choices {...props} chosen={draft as readonly string[]} />;
  const error = errors[path];
  const hint = hintOf(field);
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`];
  const shared = {
    id,
    name: path,
    'aria-invalid': error !== undefined,
    'aria-required': field.isRequired,
    'aria-describedby': described.filter(Boolean).join(' ') || undefined,
  };
  const isBox = typeof draft === 'boolean';
  return (
    <div class={isBox ? 'field box' : 'field'}>
      <label for={id} class={field.isRequired ? 'required' : ''}>
        <FieldName name={field.name} />
      </label>
      <Control {...{ field, draft, onChange, shared }} />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface ControlProps extends Pick<InputProps, 'field' | 'draft' | 'onChange'> {
  readonly shared: InputAttributes;
}

function Control({ field, draft, onChange, shared }: ControlProps): JSX.Element {
  const value = typeof draft === 'string' ? draft : '';
  const onInput = ({ currentTarget }: { readonly currentTarget: { readonly value: string } }): void =>
    onChange(currentTarget.value);
  // A text is compared letter by letter: a phone's keyboard must not change it.
  const exact = { autocapitalize: 'none', autocomplete: 'off', autocorrect: 'off', spellcheck: false } as const;
  switch (field.kind) {
    case 'flag':
      if (typeof draft !== 'boolean')
        return <Select {...{ shared, value, onInput }} options={['true', 'false']} field={field} />;
      return (
        <input
          {...shared}
          type="checkbox"
          checked={draft}
          onChange={({ currentTarget }) => onChange(currentTarget.checked)}
        />
      );
    case 'choice':
      return <Select {...{ shared, value, onInput }} options={field.choices} field={field} />;
    case 'reference':
      return <ReferenceInput {...{ shared, value, onChange }} target={field.target ?? ''} />;
    case 'time':
      return <input {...shared} type="datetime-local" step="any" value={value} onInput={onInput} />;
    case 'secret':
      return <input {...shared} type="password" autocomplete={secretUse(field.name)} value={value} onInput={onInput} />;
    case 'long text':
      return <textarea {...shared} rows={4} value={value} onInput={onInput} />;
    case 'texts':
    case 'json':
      return <textarea {...shared} {...exact} rows={3} value={value} onInput={onInput} />;
    case 'number':
    case 'money':
      return <input {...shared} class="short" inputMode="decimal" autocomplete="off" value={value} onInput={onInput} />;
    default:
      return <input {...shared} {...exact} type="text" value={value} onInput={onInput} />;
  }
}

function Select(props: {
  readonly field: Field;
  readonly options: readonly string[];
  readonly value: string;
  readonly shared: ControlProps['shared'];
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void;
}): JSX.Element {
  const { field, options, value, shared, onInput } = props;
  const isOpen = field.isNullable || !field.isRequired || value === '';
  return (
    <select {...shared} value={value} onChange={onInput}>
      {isOpen && <option value="">{field.isRequired ? 'Choose …' : '–'}</option>}
      {options.map((option) => (
        <option key={option} value={option}>
          {field.kind === 'flag' ? (option === 'true' ? 'yes' : 'no') : option}
        </option>
      ))}
    </select>
  );
}

/** Several of few: chosen, not typed. */
function Choices(props: InputProps & { readonly chosen: readonly string[] }): JSX.Element {
  const { field, path, chosen, errors, onChange } = props;
  const id = useId();
  const error = errors[path];
  return (
    <fieldset class="field" aria-describedby={error === undefined ? undefined : id} aria-invalid={error !== undefined}>
      <legend class={field.isRequired ? 'required' : ''}>
        <FieldName name={field.name} />
      </legend>
      <div class="choices">
        {field.choices.map((choice) => (
          <label key={choice} class="choice">
            <input
              type="checkbox"
              checked={chosen.includes(choice)}
              onChange={({ currentTarget: { checked } }) =>
                onChange(field.choices.filter((each) => (each === choice ? checked : chosen.includes(each))))
              }
            />
            {choice}
          </label>
        ))}
      </div>
      {field.description !== undefined && <p class="hint">{field.description}</p>}
      {error !== undefined && (
        <p class="error" id={id}>
          {error}
        </p>
      )}
    </fieldset>
  );
}

function hintOf({ kind, description }: Field): string | undefined {
  if (kind === 'texts') return `${description === undefined ? '' : `${description} `}One on each line.`;
  return description?.replaceAll('`', '');
}

/** Password managers tell the current password from a new one. */
function secretUse(name: string): string {
  return name.startsWith('current') ? 'current-password' : 'new-password';
}
