import { AuthenticationError } from '@items/client';
import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

import { useConsole } from '../console.js';
import type { Field } from '../document/field.js';
import { Icon } from '../parts/icon.js';
import { signIn } from '../service/session.js';
import { draftOf, type DraftObject } from './draft.js';
import { formErrors, NO_ERRORS } from './errors.js';
import { FieldInput } from './field-input.js';
import { keepDraft, takeDraft } from './kept-draft.js';

interface Props {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly initial?: DraftObject;
  readonly submit: string;
  readonly isDangerous?: boolean;
  /** A dialog asks before unsaved changes are left. */
  readonly isGuarded?: boolean;
  /** @throws what the service refuses; the form shows it. */
  readonly onSubmit: (draft: DraftObject) => Promise<void>;
  readonly onCancel: () => void;
}

/** A form of the fields of a schema. */
export function Form(props: Props): JSX.Element {
  const { label, fields, submit, isDangerous = false, onSubmit, onCancel } = props;
  const { login, settings, router } = useConsole();
  const [initial] = useState(() => props.initial ?? draftOf(fields));
  const [draft, setDraft] = useState(() => takeDraft(location.pathname) ?? initial);
  const [errors, setErrors] = useState(NO_ERRORS);
  const [isSending, setSending] = useState(false);
  const [isSignedOut, setSignedOut] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useEffect(
    () => form.current?.querySelector<HTMLElement>('input, select, textarea')?.focus({ preventScroll: true }),
    [],
  );
  useUnsaved(props.isGuarded === true && JSON.stringify(draft) !== JSON.stringify(initial));

  const send = async (): Promise<void> => {
    if (isSending) return;
    setSending(true);
    try {
      await onSubmit(draft);
    } catch (error) {
      setSignedOut(error instanceof AuthenticationError);
      setErrors(
        formErrors(error, (name) => name in draft || form.current?.elements.namedItem(name) instanceof HTMLElement),
      );
      requestAnimationFrame(() =>
        form.current?.querySelector<HTMLElement>('[aria-invalid=true], [role=alert]')?.focus(),
      );
    } finally {
      setSending(false);
    }
  };
  return (
    <form
      ref={form}
      class="form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      {errors.general !== undefined && (
        <div class="failure" role="alert" tabIndex={-1}>
          <Icon name="error" />
          <p>{isSignedOut ? 'Your login has ended. What you typed is kept until you are back.' : errors.general}</p>
          {isSignedOut && (
            <button
              type="button"
              class="button"
              onClick={() => {
                keepDraft(location.pathname, draft);
                router.guard = undefined;
                void signIn(login, settings);
              }}
            >
              Sign in
            </button>
          )}
        </div>
      )}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          field={field}
          path={field.name}
          draft={draft[field.name] ?? ''}
          errors={errors.fields}
          onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <div class="buttons">
        <button class={isDangerous ? 'button danger' : 'button primary'} aria-disabled={isSending}>
          {isSending ? 'Please wait …' : submit}
        </button>
        <button type="button" class="button" onClick={onCancel}>
          Cancel
        </button>
      </div>
    </form>
  );
}

/** Asks before unsaved changes are left. */
function useUnsaved(isUnsaved: boolean): void {
  const { router, questions } = useConsole();
  useEffect(() => {
    if (!isUnsaved) return;
    router.guard = () =>
      questions.ask({
        title: 'Leave without saving?',
        text: 'What you have typed here is not saved yet.',
        ...{ yes: 'Leave', no: 'Stay', isDangerous: true },
      });
    return () => {
      router.guard = undefined;
    };
  }, [isUnsaved, router, questions]);
}
