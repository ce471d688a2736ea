import { signal } from '@preact/signals';

import { Button, Dialog, Icon } from './elements.js';

type Question = Readonly<Record<'title' | 'text' | 'yes' | 'no', string>>;

/** Time for which a message is shown. An error is shown until the user dismisses it. */
const MESSAGE_MS = 6_000;

const message = signal<{ readonly text: string; readonly isError: boolean } | undefined>(undefined);
const question = signal<(Question & { readonly answer: (isYes: boolean) => void }) | undefined>(undefined);

/** Shows a message, and removes the previous one. */
export function say(text: string, isError = false): void {
  const shown = { text, isError };
  message.value = shown;
  if (!isError) setTimeout(() => message.value === shown && dismiss(), MESSAGE_MS);
}

const dismiss = (): void => void (message.value = undefined);

/** Asks for confirmation in a dialog. */
export async function ask(text: Question): Promise<boolean> {
  question.value?.answer(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const asked = { ...text, answer: resolve };
  question.value = asked;
  const answer = await promise;
  // Another question may have replaced this one.
  if (question.value === asked) question.value = undefined;
  return answer;
}

/** The current message and question. Screen readers also announce the message. */
export function Feedback() {
  const { text, isError = false } = message.value ?? {};
  const asked = question.value;
  const body = text !== undefined && (
    <div class={isError ? 'message error' : 'message'}>
      <Icon name={isError ? 'error' : 'check'} />
      <span>{text}</span>
      <Button class="icon-button" icon="close" aria-label="Dismiss the message" onClick={dismiss} />
    </div>
  );
  return (
    <>
      <div class="messages">
        <div role="status">{!isError && body}</div>
        <div role="alert">{isError && body}</div>
      </div>
      {asked && (
        <Dialog title={asked.title} onClose={() => asked.answer(false)}>
          <p>{asked.text}</p>
          <div class="buttons">
            <Button class="button danger" onClick={() => asked.answer(true)} children={asked.yes} />
            <Button data-first onClick={() => asked.answer(false)} children={asked.no} />
          </div>
        </Dialog>
      )}
    </>
  );
}
