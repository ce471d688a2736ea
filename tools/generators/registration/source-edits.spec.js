import { addStatement, hasStatement, removeStatement } from './statements.js';

describe('An export', () => {
  const index = `export { A } from './a.js';\nexport type {\n  C,\n  D,\n} from './c.js';\nexport { E } from './e.js';\n`;

  it.each([
    ['./0.js', 0],
    ['./b.js', 1],
    ['./d.js', 5],
    ['./f.js', 6],
  ])('%s is put where its path sorts in', (path, line) => {
    const statement = `export type { X } from '${path}';`;
    const changed = addStatement(index, statement);
    expect(changed.split('\n')[line]).toBe(statement);
    expect(hasStatement(changed, statement)).toBe(true);
    expect(removeStatement(changed, statement)).toBe(index);
  });

  it('stands behind the words of a file that has none yet', () => {
    const changed = addStatement('// All of them.\n', `export { Z } from './z.js';`);
    expect(changed).toBe(`// All of them.\nexport { Z } from './z.js';\n`);
  });

  it('is known where its names stand in lines of their own, and not taken for another one', () => {
    const statement = `export { as, type A, type AInput } from './a.js';`;
    const wrapped = `export {\n  as,\n  type A,\n  type AInput,\n} from './a.js';\n`;
    expect(hasStatement(wrapped, statement)).toBe(true);
    expect(removeStatement(`${wrapped}${index}`, statement)).toBe(index);
    expect(hasStatement(`export { as, type A, type AInput } from './aa.js';\n`, statement)).toBe(false);
  });
});
