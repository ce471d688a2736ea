import { addStatement, hasStatement, removeStatement } from './statements.ts';

describe('An export', () => {
  const list = `// All of them.\nexport { a } from './a.js';\nexport { c } from './c.js';\nexport { e } from './e.js';\n`;

  it.each([
    ['./0.js', 1],
    ['./b.js', 2],
    ['./d.js', 3],
    ['./f.js', 4],
  ])('%s is inserted at the sorted position of its path', (path, line) => {
    const statement = `export { x } from '${path}';`;
    const changed = addStatement(list, statement);
    expect(changed.split('\n')[line]).toBe(statement);
    expect(hasStatement(changed, statement)).toBe(true);
    expect(removeStatement(changed, statement)).toBe(list);
  });

  it('is added after the comment of a file without exports', () => {
    const changed = addStatement('// All of them.\n', `export { z } from './z.js';`);
    expect(changed).toBe(`// All of them.\nexport { z } from './z.js';\n`);
  });

  it('is not confused with another one', () => {
    expect(hasStatement(list, `export { a } from './a.js';`)).toBe(true);
    expect(hasStatement(`export { a } from './aa.js';\n`, `export { a } from './a.js';`)).toBe(false);
  });
});
