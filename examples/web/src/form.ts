import { ItemsApiError } from '@items/client';
import { ValidationError } from '@items/conventions';

/** Returns the text of a field, not trimmed. */
export function fieldText(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name);
  return typeof value === 'string' ? value : '';
}

/** Calls `send` when the form is submitted, never concurrently. Shows errors at their fields, or else above the button. */
export function onSubmit(form: HTMLFormElement, send: () => Promise<void>): void {
  const button = form.querySelector('button');
  const submit = async (): Promise<void> => {
    if (button?.ariaDisabled === 'true') return;
    if (button) button.ariaDisabled = 'true';
    clearErrors(form);
    try {
      await send();
    } catch (error) {
      showError(form, error);
    } finally {
      if (button) button.ariaDisabled = null;
    }
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit();
  });
}

/** Shows an error of the form or of the service: both have the same details. */
function showError(form: HTMLFormElement, error: unknown): void {
  const details = error instanceof ValidationError || error instanceof ItemsApiError ? error.details : [];
  const elsewhere = details.filter(({ field, message }) => !showAtField(form, field, message));
  const message = error instanceof Error ? error.message : String(error);
  if (details.length === 0) alertIn(form, message);
  else alertIn(form, elsewhere.map((detail) => detail.message).join(' '));
  form.querySelector<HTMLElement>('[aria-invalid]')?.focus();
}

/** Returns false if the form has no such field. */
function showAtField(form: HTMLFormElement, name: string, message: string): boolean {
  const field = form.elements.namedItem(name);
  if (!(field instanceof HTMLElement)) return false;
  const text = document.createElement('span');
  text.id = `${form.id}-${name}-error`;
  text.className = 'error';
  text.textContent = message;
  field.closest('.field')?.append(text);
  field.ariaInvalid = 'true';
  field.setAttribute('aria-describedby', text.id);
  return true;
}

function clearErrors(form: HTMLFormElement): void {
  alertIn(form, '');
  for (const error of form.querySelectorAll('.error')) error.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-describedby');
  }
}

function alertIn(form: HTMLFormElement, message: string): void {
  const alert = form.querySelector('[role=alert]');
  if (alert) alert.textContent = message;
}
