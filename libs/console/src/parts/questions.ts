import { Store } from './store.js';

export interface Question {
  readonly title: string;
  readonly text: string;
  /** The name of the button that says yes. */
  readonly yes: string;
  readonly no: string;
  readonly isDangerous: boolean;
  readonly answer: (isYes: boolean) => void;
}

/** Asks the user in a dialog. */
export class Questions {
  readonly current = new Store<Question | undefined>(undefined);

  async ask(question: Omit<Question, 'answer' | 'no'> & { readonly no?: string }): Promise<boolean> {
    this.current.value?.answer(false);
    return new Promise((resolve) => {
      const answer = (isYes: boolean): void => {
        this.current.set(undefined);
        resolve(isYes);
      };
      this.current.set({ no: 'Cancel', ...question, answer });
    });
  }
}
