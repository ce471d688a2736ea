import type { Answer, Exchange } from '@items/testing';

import { documentProblems } from './documented.js';
import { errorShapeProblems } from './error-shape.js';
import { headerRules } from './header-rules.js';

/** Checks rules that hold for every response; each client of the specs uses it. */
export function conventions(exchange: Exchange): void {
  const { request, answer } = exchange;
  const broken = headerRules.filter((rule) => rule.applies(exchange) && !rule.holds(answer));
  const problems = [
    ...broken.map((rule) => `broken: ${rule.sentence}`),
    ...(answer.status >= 500 ? [`a ${answer.status}, which no request can cause`] : []),
    ...(answer.status >= 400 && request.method !== 'HEAD' ? errorShapeProblems(answer) : []),
    ...documentProblems(exchange),
  ];
  if (problems.length === 0) return;
  const { method, target } = request;
  throw new Error(`${method} ${target.slice(0, 200)} → ${problems.join('; ')}\n${describe(answer)}`);
}

function describe(answer: Answer): string {
  const headers = answer.headers.map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${answer.status}\n${headers}\n\n${answer.text.slice(0, 500)}`;
}
