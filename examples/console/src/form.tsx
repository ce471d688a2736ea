import { useId, useRef, useState, type InputHTMLAttributes, type ReactNode, type SubmitEvent } from 'react';
import { ItemsApiError, ValidationError } from '@items/client';

import { sentenceOf } from './sentence';

/** What is wrong with a form: by the names of its fields, and what belongs to none. */
export interface FormErrors {
  readonly fields: Readonly<Record<string, string>>;
  readonly general: string;
}

const NONE: FormErrors = { fields: {}, general: '' };

interface Props {
  readonly label: string;
  readonly submit: string;
  /** Left out: the button is the one to press. */
  readonly isPlain?: boolean;
  /** Left out: what was typed stays also where it succeeds. */
  readonly isEmptied?: boolean;
  /** What it throws is shown: the details of a validation at their fields. */
  readonly onSubmit: (values: Readonly<Record<string, string>>) => Promise<unknown>;
  readonly children: (errors: FormErrors['fields']) => ReactNode;
}

/** A form that is sent once at a time, and keeps what was typed where it fails. */
export function Form({ label, submit, isPlain = false, isEmptied = false, onSubmit, children }: Props) {
  const [errors, setErrors] = useState(NONE);
  const [isBusy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const send = async (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isBusy) return;
    const values = Object.fromEntries(new FormData(event.currentTarget)) as Record<string, string>;
    setBusy(true);
    setErrors(NONE);
    try {
      await onSubmit(values);
      if (isEmptied) form.current?.reset();
    } catch (error) {
      setErrors(errorsOf(error, form.current));
      // After the fields are marked.
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
    } finally {
      setBusy(false);
    }
  };
  return (
    <form ref={form} aria-label={label} noValidate onSubmit={(event) => void send(event)}>
      {children(errors.fields)}
      <p role="alert">{errors.general}</p>
      <button className={isPlain ? undefined : 'primary'} aria-disabled={isBusy}>
        {submit}
      </button>
    </form>
  );
}

/** The service and `validate` of `@items/fields` throw the same error, with the same sentences. */
function errorsOf(error: unknown, form: HTMLFormElement | null): FormErrors {
  const details = error instanceof ValidationError || error instanceof ItemsApiError ? error.details : [];
  const fields: Record<string, string> = {};
  const others: string[] = [];
  for (const { field, message } of details) {
    const name = field.split(/[.[]/)[0] ?? '';
    if (form?.elements.namedItem(name)) fields[name] ??= message;
    else others.push(message);
  }
  const general = details.length === 0 ? sentenceOf(error as Error) : others.join(' ');
  return { fields, general };
}

/** For what has to be typed letter by letter: a phone's keyboard changes nothing of it. */
export const EXACT = { autoCapitalize: 'none', autoCorrect: 'off', autoComplete: 'off', spellCheck: false } as const;

interface FieldProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: string;
  readonly name: string;
  readonly error?: string | undefined;
}

export function Field({ label, error, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input id={id} aria-invalid={error !== undefined} aria-describedby={error && `${id}-error`} {...input} />
      {error && (
        <span id={`${id}-error`} className="error">
          {error}
        </span>
      )}
    </div>
  );
}
