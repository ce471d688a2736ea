import { addElement, hasElement, removeElement } from './elements.js';
import { addStatement, hasStatement, removeStatement } from './statements.js';

describe('An import or export', () => {
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

  it('stands among those of its own files, not among packages', () => {
    const file = `import { Module } from '@nestjs/common';\n\nimport { B } from './b.js';\n\nclass C {}\n`;
    const changed = addStatement(file, `import { Z } from './z.js';`);
    expect(changed).toContain(`import { B } from './b.js';\nimport { Z } from './z.js';\n\nclass`);
    expect(addStatement(file, `import { A } from './a.js';`)).toContain(
      `\n\nimport { A } from './a.js';\nimport { B }`,
    );
  });
});

describe('An element of a list', () => {
  it.each([
    ['const list = [];', 'const list = [x];'],
    ['const list = [a];', 'const list = [a, x];'],
    ['const list = [\n  a,\n  b,\n];', 'const list = [\n  a,\n  b, x];'],
    [`const list = ['a', 'b'] as const; const other = [x];`, `const list = ['a', 'b', x] as const; const other = [x];`],
  ])('is appended: %j', (before, after) => {
    expect(hasElement(before, 'const list = [', 'x')).toBe(false);
    expect(addElement(before, 'const list = [', 'x')).toBe(after);
    expect(hasElement(after, 'const list = [', 'x')).toBe(true);
  });

  it.each([
    ['const list = [x];', 'const list = [];'],
    ['const list = [a, x];', 'const list = [a];'],
    ['const list = [x, a];', 'const list = [ a];'],
    ['const list = [a, x, b, xx];', 'const list = [a, b, xx];'],
  ])('is taken out: %j', (before, after) => {
    expect(removeElement(before, 'const list = [', 'x')).toBe(after);
  });

  it('is not taken for a longer one', () => {
    expect(hasElement(`const list = ['ax', 'xa', x1];`, 'const list = [', 'x')).toBe(false);
  });

  it('has no place where the list is gone', () => {
    expect(() => addElement('const others = [];', 'const list = [', 'x')).toThrow('no list that begins with');
  });
});
