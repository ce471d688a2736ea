import { ItemsApiError } from '@items/client';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

import type { Field } from '../document/field.js';
import { Button } from '../parts/elements.js';
import { Failure } from '../parts/failure.js';
import { ask } from '../parts/feedback.js';
import { router } from '../router/router.js';
import type { Row } from '../service/rows.js';
import { draftOf, inputOf, type DraftObject } from './draft.js';
import { FieldInput } from './field-input.js';

interface Props {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly row?: Row | undefined;
  /** The draft from before the login ended. */
  readonly typed?: DraftObject | undefined;
  readonly submit: string;
  readonly isDangerous?: boolean;
  readonly isGuarded?: boolean;
  readonly isReady?: boolean;
  /** @throws An error, which the form shows. */
  readonly onSubmit: (input: Row, draft: DraftObject) => Promise<void>;
  /** Called before the user leaves for the login page. */
  readonly onLeave?: (draft: DraftObject) => void;
  readonly onCancel?: () => void;
}

export function Form(props: Props) {
  const { label, fields, row, submit, isDangerous, isGuarded, isReady = true, onSubmit, onLeave, onCancel } = props;
  const [initial] = useState(() => draftOf(fields, row));
  const [draft, setDraft] = useState({ ...initial, ...props.typed });
  const [failure, setFailure] = useState<unknown>();
  const [isSending, setSending] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const focus = (selector: string): void =>
    form.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  useLayoutEffect(() => focus('input, select, textarea'), []);
  const isUnsaved = isGuarded === true && JSON.stringify(draft) !== JSON.stringify(initial);
  useEffect(() => {
    if (!isUnsaved) return;
    const text = 'What you have typed here is not saved yet.';
    router.guard = () => ask({ title: 'Leave without saving?', text, yes: 'Leave', no: 'Stay' });
    return () => {
      router.guard = undefined;
    };
  }, [isUnsaved]);

  const details = failure instanceof ItemsApiError ? failure.details : [];
  const shown = details.filter(({ field }) => Object.hasOwn(draft, field) || form.current?.elements.namedItem(field));
  const errors = Object.fromEntries(shown.map(({ field, message }) => [field, message]));
  const isAtFields = shown.length > 0 && shown.length === details.length;

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (isSending) return;
    setSending(true);
    try {
      await onSubmit(inputOf(fields, draft, row), draft);
      setFailure(undefined);
    } catch (error) {
      setFailure(error);
      requestAnimationFrame(() => focus('[aria-invalid=true], [role=alert]'));
    } finally {
      setSending(false);
    }
  };
  return (
    <form ref={form} class="form" aria-label={label} noValidate onSubmit={(event) => void send(event)}>
      {failure !== undefined && !isAtFields && <Failure error={failure} onLeave={() => onLeave?.(draft)} />}
      {fields.map((field) => (
        <FieldInput
          key={field.name}
          {...{ field, errors, path: field.name, draft: draft[field.name] ?? '' }}
          onChange={(value) => setDraft((before) => ({ ...before, [field.name]: value }))}
        />
      ))}
      <div class="buttons">
        <button class={isDangerous ? 'button danger' : 'button primary'} aria-disabled={isSending} disabled={!isReady}>
          {isSending ? 'Please wait …' : submit}
        </button>
        {onCancel && <Button onClick={onCancel}>Cancel</Button>}
      </div>
    </form>
  );
}
