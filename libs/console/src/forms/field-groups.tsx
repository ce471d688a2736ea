import type { JSX } from 'preact';

import { FieldName } from '../parts/field-name.js';
import { Icon } from '../parts/icon.js';
import { draftOf, type DraftObject } from './draft.js';
import { FieldInput, type InputProps } from './field-input.js';

type ObjectProps = Omit<InputProps, 'draft'> & { readonly draft: DraftObject };

/** The fields of an object. */
export function FieldSet({ field, path, draft, errors, onChange }: ObjectProps): JSX.Element {
  return (
    <fieldset class="group">
      <legend class={field.isRequired ? 'required' : ''}>
        <FieldName name={field.name} />
      </legend>
      {field.description !== undefined && <p class="hint">{field.description}</p>}
      <Inputs {...{ field, path, draft, errors, onChange }} />
      {errors[path] !== undefined && <p class="error">{errors[path]}</p>}
    </fieldset>
  );
}

function Inputs({ field, path, draft, errors, onChange }: ObjectProps): JSX.Element {
  return (
    <div class="inputs">
      {field.fields.map((each) => (
        <FieldInput
          key={each.name}
          field={each}
          path={`${path}.${each.name}`}
          draft={draft[each.name] ?? ''}
          errors={errors}
          onChange={(value) => onChange({ ...draft, [each.name]: value })}
        />
      ))}
    </div>
  );
}

/** A list of objects, such as the lines of an order. */
export function ObjectList(props: Omit<InputProps, 'draft'> & { readonly rows: readonly DraftObject[] }): JSX.Element {
  const { field, path, rows, errors, onChange } = props;
  return (
    <fieldset class="group">
      <legend class={field.isRequired ? 'required' : ''}>
        <FieldName name={field.name} />
      </legend>
      {rows.map((row, index) => (
        <div key={index} class="entry" role="group" aria-label={`${field.name} ${index + 1}`}>
          <Inputs
            {...{ field, errors }}
            path={`${path}.${index}`}
            draft={row}
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
      {errors[path] !== undefined && <p class="error">{errors[path]}</p>}
    </fieldset>
  );
}
