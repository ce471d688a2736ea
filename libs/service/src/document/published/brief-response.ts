import { isPart, mapped, partOf, type Part } from './part.js';

/** Headers of every response, or for browsers and proxies. The introduction of the document covers them. */
const GENERAL = new Set([
  'X-Request-Id',
  'Api-Version',
  'Cache-Control',
  'X-Content-Type-Options',
  'Content-Security-Policy',
  'Strict-Transport-Security',
  'Vary',
  'Access-Control-Allow-Origin',
  'Access-Control-Expose-Headers',
  'Referrer-Policy',
  'X-Frame-Options',
]);
/** To keep the document short, errors list only the limit. Its introduction says that responses have all of them. */
const QUOTA = new Set(['X-RateLimit-Remaining', 'X-RateLimit-Reset', 'RateLimit', 'RateLimit-Policy']);
const LIMIT = 'X-RateLimit-Limit';
const USED_UP = '429';

/**
 * Leaves only uncommon headers, and examples of errors. Whole bodies get no examples, because each field has one.
 * @param examples The components that examples refer to.
 */
export function briefResponse(response: Part, status: string, examples: Part): Part {
  const { headers, content, ...rest } = response;
  const own = Object.entries(partOf(headers)).filter(
    ([name]) => !GENERAL.has(name) && (status === USED_UP || !QUOTA.has(name)) && (status >= '400' || name !== LIMIT),
  );
  return {
    ...rest,
    ...(own.length > 0 && { headers: Object.fromEntries(own) }),
    ...(content !== undefined && {
      content: mapped(partOf(content), (media) => briefMedia(partOf(media), status, examples)),
    }),
  };
}

function briefMedia(media: Part, status: string, examples: Part): Part {
  const { examples: given, ...rest } = media;
  if (status < '400') return rest;
  return { ...rest, examples: mapped(partOf(given), (example) => ({ value: valueOf(partOf(example), examples) })) };
}

function valueOf(example: Part, examples: Part): unknown {
  const { $ref: reference } = example;
  if (typeof reference !== 'string') return example['value'];
  const target = examples[reference.split('/').at(-1) ?? ''];
  return isPart(target) ? target['value'] : undefined;
}
