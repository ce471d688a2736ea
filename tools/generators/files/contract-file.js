import { withArticle } from '../plan/names.js';

/** The wire types. @param {import('../plan/plan.js').Plan} plan */
export function contractFile({ names, fields, owned }) {
  const { type, words, singular } = names;
  const given = fields.map(({ name, type: { rule, shown }, optional }) => {
    const sentence = rule === '' ? '' : `  /** ${rule} */\n`;
    return `${sentence}  readonly ${name}${optional ? '?' : ''}: ${shown}${optional ? ' | null' : ''};\n`;
  });
  const text = `/** What a client sends to create or to replace ${withArticle(words)}. SPEC §2 */
export interface ${type}Input {
${given.join('')}}

/** ${capitalised(withArticle(words))} as the service shows it. SPEC §2 */
export interface ${type} extends Required<${type}Input> {
  /** UUIDv7, made by the service. */
  readonly id: string;
${owned ? '  /** To whom it belongs. */\n  readonly user_id: string;\n' : ''}  /** RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
}
`;
  return { path: `libs/contracts/src/${singular}.ts`, text };
}

/** @param {string} words */
function capitalised(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
