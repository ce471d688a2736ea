import { type Judgement, type Result } from '../judgement.js';

const informationUri = 'https://www.npmjs.com/package/@items/conformance';

/**
 * SARIF 2.1.0: a rule and a result for each check that failed (suppressed if known) or is unexpectedly fixed, and a
 * result for each note.
 */
export function sarifReport(judgement: Judgement, version: string): string {
  const { checks, notes, url } = judgement;
  const found = checks.filter(({ status }) => ['failed', 'fixed', 'known'].includes(status));
  const log = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'items-conformance', version, informationUri, rules: [...found.map(rule), noteRule] },
        },
        automationDetails: { id: `items-conformance/${judgement.profile}` },
        results: [...found.map((one) => result(one, url)), ...notes.map((note) => noteResult(note, url))],
      },
    ],
  };
  return `${JSON.stringify(log, undefined, 2)}\n`;
}

const noteRule = { id: 'note', shortDescription: { text: 'A note about the service.' } };

function rule({ id, sentence, section, source, level }: Result): object {
  return {
    id,
    shortDescription: { text: sentence },
    fullDescription: { text: `${section}: ${sentence}` },
    defaultConfiguration: { level: level === 'must' ? 'error' : 'warning' },
    properties: { section, source, level },
  };
}

function result({ id, sentence, status, level, failure, reason = '' }: Result, url: string): object {
  const what = failure === undefined ? reason : `expected ${failure.expected}; came ${failure.came}`;
  return {
    ruleId: id,
    level: level === 'must' ? 'error' : 'warning',
    message: { text: `${sentence} ${what}` },
    locations: [location(failure?.url ?? url)],
    partialFingerprints: { check: id },
    ...(failure && {
      webRequest: { protocol: 'HTTP', method: failure.method, target: failure.url },
      properties: { curl: failure.curl },
    }),
    ...(status === 'known' && { suppressions: [{ kind: 'external', justification: 'a known failure' }] }),
  };
}

function noteResult(note: string, url: string): object {
  return { ruleId: 'note', level: 'note', message: { text: note }, locations: [location(url)] };
}

/** Viewers of SARIF expect a relative address, like the path of a file. */
function location(address: string): object {
  const path = new URL(address).pathname.replace(/^\/+/, '');
  return {
    physicalLocation: { artifactLocation: { uri: path === '' ? '.' : path }, region: { startLine: 1 } },
    logicalLocations: [{ fullyQualifiedName: address, kind: 'resource' }],
  };
}
