import type { Answer } from '@items/testing';

const BODY_MEMBERS = new Set(['error', 'code', 'details']);
const DETAIL_MEMBERS = 'code,field,message';
/** Names in `params` of an error detail by its code; none for other codes. */
const PARAMS: Readonly<Record<string, readonly string[]>> = {
  too_long: ['max'],
  too_short: ['min'],
  too_many: ['max'],
  too_few: ['min'],
  out_of_range: ['min', 'max', 'max,min'],
  too_many_decimals: ['max'],
  not_allowed: ['', 'values'],
};
const SNAKE_CASE = /^[a-z][a-z0-9]*(_[a-z0-9]+)*$/;

/** Returns the violations of §7 in an error response. */
export function errorShapeProblems(answer: Answer): string[] {
  const type = answer.header('content-type') ?? '';
  if (!/^application\/json\b/.test(type)) return [`an error of type "${type}" instead of JSON`];
  const body = read(answer.text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return ['an error body that is no JSON object'];
  return [...memberProblems(body), ...detailProblems(body)];
}

function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memberProblems(body: object): string[] {
  const { error, code } = body as { error?: unknown; code?: unknown };
  const problems = Object.keys(body)
    .filter((name) => !BODY_MEMBERS.has(name))
    .map((name) => `an error body with an unknown member "${name}"`);
  if (!isSentence(error)) problems.push(`"error" is no sentence for people: ${JSON.stringify(error)}`);
  if (typeof code !== 'string' || !SNAKE_CASE.test(code)) problems.push(`"code" is not snake_case: ${String(code)}`);
  return problems;
}

function detailProblems(body: object): string[] {
  if (!('details' in body)) return [];
  const { details } = body;
  if (!Array.isArray(details) || details.length === 0) return ['"details" without any'];
  const fields = details.map((detail: unknown) => String((detail as { field?: unknown }).field));
  const problems = details.flatMap((detail: Record<string, unknown>) => oneDetailProblems(detail));
  if (details.length > 20) problems.push(`${details.length} details, more than 20`);
  if (fields.some((field, i) => i > 0 && field < (fields[i - 1] ?? ''))) {
    problems.push(`details not sorted by field: ${fields.join(', ')}`);
  }
  return problems;
}

function oneDetailProblems(detail: Record<string, unknown>): string[] {
  const { field, code, message, params, ...others } = detail;
  const problems: string[] = [];
  if (
    Object.keys({ ...others, field, code, message })
      .sort()
      .join() !== DETAIL_MEMBERS ||
    !('message' in detail)
  )
    problems.push(`a detail with ${Object.keys(detail).join()}`);
  const given = Object.keys(params ?? {})
    .sort()
    .join();
  if (!(PARAMS[String(code)] ?? ['']).includes(given)) problems.push(`a detail ${String(code)} with params {${given}}`);
  if (typeof field !== 'string') problems.push('a detail without a field');
  if (typeof code !== 'string' || !SNAKE_CASE.test(code)) problems.push(`a detail's code "${String(code)}"`);
  if (!isSentence(message)) problems.push(`a detail's message "${String(message)}"`);
  return problems;
}

function isSentence(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\S.* .*\S$/s.test(text)) return false;
  // Ignore text in quotes: it comes from the client, and may contain markup.
  return !/<(!doctype|html|head|body|pre|h1)\b/i.test(text.replaceAll(/"[^"]*"/g, '""'));
}
