import { pathOf } from './path-of.js';

/** Which decorators stand in which file of libs/dtos. */
const SOURCES = [
  ['./fields/date-time.js', ['DateTime']],
  ['./fields/flag.js', ['Flag']],
  ['./fields/numbers.js', ['Float', 'Integer', 'Money']],
  ['./fields/presence.js', ['Optional', 'ReadOnly']],
  ['./fields/text.js', ['Text', 'WITHOUT_COMMA']],
];

/** What POST and PUT accept. @param {import('../plan/plan.js').Plan} plan */
export function dtoFile({ names, fields, owned }) {
  const { type, singular } = names;
  const path = pathOf({ names, owned });
  const members = fields.map(({ name, type: { decorator, shown }, typeName, optional, filtered }) => {
    const call =
      filtered && typeName === 'string'
        ? decorator.replace('trim: true', 'trim: true, pattern: WITHOUT_COMMA')
        : decorator;
    return `${optional ? '  @Optional()\n' : ''}  @${call}\n  ${name}!: ${shown}${optional ? ' | null' : ''};\n`;
  });
  const body = `/** The body of \`POST ${path}\` and of \`PUT ${path}/{id}\`, which accept the same. SPEC §2, §4 */
@ReadOnly('id', ${owned ? `'user_id', ` : ''}'created_at', 'updated_at')
export class ${type}InputDto implements ${type}Input {
${members.join('\n')}}
`;
  const imports = SOURCES.map(([source, words]) => {
    const used = /** @type {string[]} */ (words).filter((word) => new RegExp(`\\b${word}\\b`).test(body));
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${source}';\n`;
  });
  const text = `import type { ${type}Input } from '@items/contracts';\n\n${imports.join('')}\n${body}`;
  return { path: `libs/dtos/src/${singular}-input.dto.ts`, text };
}
