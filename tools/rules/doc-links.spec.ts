import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
const LINK = /\{@link\s+([\w.]+)/g;
const COMMENT = /\/\*\*[^]*?\*\//g;

/**
 * Returns names in `{@link  }` tags that do not occur in the code of the file, so that an editor cannot resolve them.
 */
function deadLinks(text: string) {
  const code = text.replace(COMMENT, '');
  const names = [...text.matchAll(LINK)].map(([, name = '']) => name);
  return names.filter((name) => !name.split('.').every((part) => new RegExp(`\\b${part}\\b`).test(code)));
}

describe('{@link} tags', () => {
  it('name something that the file declares or imports', () => {
    const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'libs/**/*.ts', 'apps/**/*.ts'], {
      cwd: workspace,
      encoding: 'utf8',
    });
    const dead = files
      .split('\n')
      .filter((file) => file !== '')
      .flatMap((file) => deadLinks(readFileSync(join(workspace, file), 'utf8')).map((name) => `${file}: ${name}`));
    expect(dead).toEqual([]);
  });

  it('are found dead without a mention in the code', () => {
    expect(deadLinks('/** {@link Shelf}, {@link Book.title} */ class Book { title = 1; }')).toEqual(['Shelf']);
  });
});
