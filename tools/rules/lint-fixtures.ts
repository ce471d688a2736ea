import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ESLint } from 'eslint';
import tseslint from 'typescript-eslint';
import { workspaceRoot } from '../workspace/root.ts';

/*
 * Lints the fixtures and prints the errors as JSON: { fixture: [[line, rule], …] }. Runs in a separate process,
 * because Jest cannot load ESLint's configuration.
 */
const folder = join(workspaceRoot, 'tools/fixtures/lint-rules');
const cwd = workspaceRoot;

/** Lints a fixture without type information, because no file exists under its `as` path. */
const withoutTypes = new ESLint({
  cwd,
  overrideConfig: [
    { files: ['**/*.ts'], ...tseslint.configs.disableTypeChecked },
    { files: ['**/*.ts'], languageOptions: { parserOptions: { projectService: false, project: false } } },
  ],
});
const withTypes = new ESLint({ cwd, ignore: false });

const said: Record<string, [number, string | null][]> = {};
for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
  if (!entry.name.endsWith('.ts')) continue;
  const file = join(entry.parentPath, entry.name);
  const text = readFileSync(file, 'utf8');
  const pretended = /^\/\/ as: (.+)$/m.exec(text)?.[1];
  const [result] = pretended
    ? await withoutTypes.lintText(text, { filePath: join(cwd, pretended) })
    : await withTypes.lintFiles([file]);
  said[file.slice(folder.length + 1)] = (result?.messages ?? []).map(({ line, ruleId, fatal, message }) => [
    line,
    fatal ? message : ruleId,
  ]);
}
console.log(JSON.stringify(said));
