import type { JSX } from 'preact';

import { useConsole } from '../console.js';
import { Dialog } from './dialog.js';
import { Icon } from './icon.js';
import { useStore } from './store.js';

/** The message of the moment, which screen readers say as well. */
export function MessageBar(): JSX.Element {
  const { messages } = useConsole();
  const message = useStore(messages.current);
  const body = message && (
    <div class={message.isError ? 'message error' : 'message'}>
      <Icon name={message.isError ? 'error' : 'check'} />
      <span>{message.text}</span>
      <button type="button" class="icon-button" aria-label="Dismiss the message" onClick={() => messages.dismiss()}>
        <Icon name="close" />
      </button>
    </div>
  );
  return (
    <div class="messages">
      <div role="status">{message?.isError === false && body}</div>
      <div role="alert">{message?.isError === true && body}</div>
    </div>
  );
}

/** Says why the console waits. */
export function Notice(): JSX.Element {
  const { connection } = useConsole();
  const notice = useStore(connection.notice);
  return <div role="status">{notice !== undefined && <p class="notice">{notice}</p>}</div>;
}

export function QuestionDialog(): JSX.Element | null {
  const { questions } = useConsole();
  const question = useStore(questions.current);
  if (question === undefined) return null;
  const { title, text, yes, no, isDangerous, answer } = question;
  return (
    <Dialog title={title} onClose={() => answer(false)}>
      <p>{text}</p>
      <div class="buttons">
        <button type="button" class={isDangerous ? 'button danger' : 'button primary'} onClick={() => answer(true)}>
          {yes}
        </button>
        <button type="button" class="button" data-first onClick={() => answer(false)}>
          {no}
        </button>
      </div>
    </Dialog>
  );
}
