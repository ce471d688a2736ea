import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { ESLint } from 'eslint';
import { workspaceRoot } from '../workspace/root.ts';

/*
 * Lints the fixtures and prints the errors as JSON: { fixture: [[line, rule], …] }. Runs in a separate process,
 * because Jest cannot load ESLint's configuration.
 */
const folder = join(workspaceRoot, 'tools/fixtures/lint-rules');
const cwd = workspaceRoot;
const eslint = new ESLint({ cwd, ignore: false });

interface Diagnostic {
  /** Such as `typescript(no-floating-promises)`. */
  readonly code: string;
  readonly filename: string;
  readonly labels: readonly { readonly span: { readonly line: number } }[];
}

const said: Record<string, [number, string | null][]> = {};
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.ts')) continue;
  const file = join(entry.parentPath, entry.name);
  const text = readFileSync(file, 'utf8');
  const pretended = /^\/\/ as: (.+)$/m.exec(text)?.[1];
  const [result] = await eslint.lintText(text, { filePath: pretended ? join(cwd, pretended) : file });
  said[relative(folder, file)] = (result?.messages ?? []).map(({ line, ruleId, fatal, message }) => [
    line,
    fatal ? message : ruleId,
  ]);
}
for (const { code, filename, labels } of typeErrors('with-types')) {
  const rule = code.replace(/\((.+)\)$/, '/$1');
  said[relative(folder, join(cwd, filename))]?.push([labels[0]?.span.line ?? 0, rule]);
}
console.log(JSON.stringify(said));

/** Runs the rules that need types. The folder's configuration extends the workspace's, which ignores the fixtures. */
function typeErrors(name: string): Diagnostic[] {
  const config = join(folder, name, 'oxlint.json');
  const args = ['node_modules/oxlint/bin/oxlint', '--format=json', `--config=${config}`, join(folder, name)];
  const { stdout } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' });
  return (JSON.parse(stdout) as { diagnostics: Diagnostic[] }).diagnostics;
}
