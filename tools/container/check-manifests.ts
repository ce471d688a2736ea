import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { ownTool } from '../workspace/own-tool.ts';
import { manifests, type Manifest } from './manifests.ts';

/*
 * Validates the Kubernetes manifests against the schemas of Kubernetes (package kubernetes-models). The validators find
 * missing or malformed fields; the types find unknown fields, which an API server would ignore without an error.
 * Resources that are not part of Kubernetes (Kustomization, ServiceMonitor) are skipped.
 */
const FOREIGN_API_VERSIONS = /^(kustomize\.config\.k8s\.io|monitoring\.coreos\.com)\//;
/** Path next to the package's schemas, so that the file's imports resolve. */
const source = join(await ownTool('kubernetes-models'), 'manifests.ts');
const checked = manifests().filter(({ object }) => !FOREIGN_API_VERSIONS.test(object.apiVersion));
const problems = (await Promise.all([...checked.map(invalid), unknownFields()])).flat();
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${checked.length} objects match the schemas of Kubernetes.`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function invalid({ file, object }: Manifest): Promise<string[]> {
  const { [object.kind]: Model } = createRequire(source)(`kubernetes-models/${object.apiVersion}`);
  try {
    new Model(object).validate();
    return [];
  } catch (error) {
    return [`${file}, ${object.kind}: ${error instanceof Error ? error.message : error}`];
  }
}

function unknownFields(): string[] {
  const text = checked
    .map(({ object }, n) => {
      const type = `import('kubernetes-models/${object.apiVersion}').I${object.kind}`;
      return `export const object${n}: ${type} = ${JSON.stringify(object)};`;
    })
    .join('\n');
  const options = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === source || fileExists(file);
  host.getSourceFile = (file, ...more) =>
    file === source ? ts.createSourceFile(file, text, ts.ScriptTarget.ESNext) : getSourceFile(file, ...more);
  return ts.getPreEmitDiagnostics(ts.createProgram([source], options, host)).map(({ file, start = 0, messageText }) => {
    const { file: manifest = '' } = checked[file?.getLineAndCharacterOfPosition(start).line ?? 0] ?? {};
    return `${manifest}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
