import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';
import { STRING } from './text.js';

/** One of `words`, which a service may override. */
export function Choice(words: readonly string[], notes: FieldDocumentation = {}): FieldDecorator {
  return field<string>(
    {
      schema: { type: 'string', enum: words },
      type: STRING,
      rules: rulesOf(words),
      rulesIn: (own) => rulesOf(own.get(words) ?? words),
    },
    notes,
  );
}

function rulesOf(words: readonly string[]): readonly FieldRule<string>[] {
  return [
    {
      code: 'not_allowed',
      message: `must be one of ${words.map((word) => `"${word}"`).join(', ')}.`,
      params: { values: words },
      holds: (word) => words.includes(word),
    },
  ];
}
