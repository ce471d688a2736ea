import type { FieldRule } from './definition.js';
import { field, type FieldDecorator, type FieldDocumentation } from './field.js';

/**
 * An array of distinct words, each one of the given, or of the overrides of a service; it may be empty, and keeps
 * the order it was sent in.
 */
export function Choices(words: readonly string[], notes: FieldDocumentation = {}): FieldDecorator {
  return field<readonly unknown[]>(
    {
      schema: {
        type: 'array',
        items: { type: 'string', enum: words },
        uniqueItems: true,
        maxItems: words.length,
      },
      type: {
        message: 'must be an array of strings.',
        is: (value): value is readonly unknown[] => Array.isArray(value),
      },
      rules: rulesOf(words),
      rulesIn: (own) => rulesOf(own.get(words) ?? words),
    },
    notes,
  );
}

function rulesOf(words: readonly string[]): readonly FieldRule<readonly unknown[]>[] {
  return [
    {
      code: 'not_allowed',
      message: `must contain only ${words.map((word) => `"${word}"`).join(', ')}.`,
      params: { values: words },
      holds: (values) => values.every((value) => (words as readonly unknown[]).includes(value)),
    },
    {
      code: 'repeated',
      message: 'must not contain the same value twice.',
      holds: (values) => new Set(values).size === values.length,
    },
  ];
}
