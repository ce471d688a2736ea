import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const workspace = join(__dirname, '../..');
/** Matches a reference to a constant, with the end of its file's path: `limits.ts:MAX_QUEUED`. */
const REFERENCE = /^`([\w./-]+\.ts):([A-Z_]+)(?:\.(\w+))?`$/;

const sourceFiles = String(execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.ts'], { cwd: workspace }))
  .split('\n')
  .filter(Boolean);
const page = read('docs/limits.md');
const rows = page
  .split('\n')
  .filter((line) => line.includes('.ts:'))
  .map((line) => {
    const [, what = '', value = '', ...others] = line.split('|').map((cell) => cell.trim());
    const [, path = '', name = '', member] = REFERENCE.exec(others.at(-2) ?? '') ?? [];
    return { what, value: Number.parseInt(value, 10), name, member, file: fileOf(path) };
  });

/** Returns the file with this end of its path; exactly one must exist. */
function fileOf(end: string) {
  const found = sourceFiles.filter((file) => file.endsWith(`/${end}`));
  if (found.length !== 1) throw new Error(`docs/limits.md: ${end} is the end of ${String(found.length)} files.`);
  return found[0] ?? '';
}

function read(file: string) {
  return readFileSync(join(workspace, file), 'utf8');
}

/** Multiplies integers, such as `512 * 1024`. */
function product(text: string) {
  return text.split('*').reduce((value, factor) => value * Number(factor.replaceAll('_', '')), 1);
}

/** Returns the value of a constant, or of its property; NaN if there is none. */
function valueOf(file: string, name: string, member: string | undefined) {
  const written = new RegExp(`const ${name}(?:: \\w+)? = ([^;]+);`).exec(read(file))?.[1] ?? '';
  return product(member === undefined ? written : (new RegExp(`${member}: ([\\d_]+)`).exec(written)?.[1] ?? 'none'));
}

/** Returns the names of matching constants of a file. */
function namesIn(file: string, declaration: RegExp) {
  return [...read(file).matchAll(declaration)].map(([, name]) => `${name} in ${file}`);
}

describe('docs/limits.md', () => {
  it.each(rows)('has the value of the code: $what', ({ value, name, member, file }) => {
    expect([name, value]).toEqual([name, valueOf(file, name, member)]);
  });

  it('names every limit of the edge, and of every cache', () => {
    const sources = execFileSync('git', ['grep', '-l', 'maxBytes: [A-Z]', '--', '*.ts', ':!*.spec.ts'], {
      cwd: workspace,
    });
    const caches = String(sources).split('\n').filter(Boolean);
    const limits = [
      ...namesIn('libs/service/src/http/limits.ts', /export const (\w+) =/g),
      ...caches.flatMap((file) => namesIn(file, /const (\w*BYTES) = /g)),
    ];
    const told = rows.map(({ name, file }) => `${name} in ${file}`);
    expect(limits.filter((limit) => !told.includes(limit))).toEqual([]);
  });
});
