import '../workspace/require-node.js';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import ts from 'typescript';
import { ownTool } from '../workspace/own-tool.js';
import { manifests } from './manifests.js';

/*
 * Compares the manifests for Kubernetes with its own schemas, as kubernetes-models has them: what is missing or has a wrong
 * form, by their validators; what does not exist, by their types, since an API server would leave it out in silence.
 * What is not of Kubernetes itself (Kustomization, ServiceMonitor) is not judged.
 */
const OF_OTHERS = /^(kustomize\.config\.k8s\.io|monitoring\.coreos\.com)\//;
/** As if it stood beside the schemas, so that it finds them. */
const source = join(await ownTool('kubernetes-models'), 'manifests.ts');
const judged = manifests().filter(({ object }) => !OF_OTHERS.test(object.apiVersion));
const problems = (await Promise.all([...judged.map(invalid), unknownFields()])).flat();
for (const problem of problems) console.error(problem);
if (problems.length === 0) console.log(`${judged.length} objects are as Kubernetes has them.`);
process.exitCode = problems.length === 0 ? 0 : 1;

/** @param {import('./manifests.js').Manifest} manifest @returns {Promise<string[]>} */
async function invalid({ file, object }) {
  const { [object.kind]: Model } = createRequire(source)(`kubernetes-models/${object.apiVersion}`);
  try {
    new Model(object).validate();
    return [];
  } catch (error) {
    return [`${file}, ${object.kind}: ${error instanceof Error ? error.message : error}`];
  }
}

/** @returns {string[]} */
function unknownFields() {
  const text = judged
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
    const { file: manifest = '' } = judged[file?.getLineAndCharacterOfPosition(start).line ?? 0] ?? {};
    return `${manifest}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
}
