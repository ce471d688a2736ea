/*
 * Assigns a function to a layer of the request by its file. Native functions are assigned by their name and the file
 * of their caller. The first matching rule applies; without a match the layer is `other`.
 */

/** @typedef {import('./profile-probe.js').Place} Place */

/** Ordered as in the report. */
export const layers = /** @type {const} */ ([
  'socket, libuv, kernel',
  'node http, streams, ticks',
  'Fastify',
  'router, guard, handler',
  'auth, quota, crypto',
  'headers, front door',
  'access log',
  'body and its rules',
  'SQLite and driver',
  'plan and SQL',
  'query, cursor, Link',
  'row to JSON',
  'GC',
  'other',
]);

/** @typedef {typeof layers[number]} Layer */

/** @type {readonly (readonly [RegExp, Layer])[]} */
const files = [
  [/bench\/baseline\/items/, 'row to JSON'],
  // It consists mostly of statements, whose native calls V8 counts as its own.
  [/bench\/baseline\//, 'SQLite and driver'],
  [
    /class-validator|libs\/(?:fields|dtos)\/|idempotency|service\/dist\/edge\/[^/]*(?:json|body|media|bytes|number)/,
    'body and its rules',
  ],
  [/sqlite|libs\/service\/dist\/store\//, 'SQLite and driver'],
  [/row-mapping|column-codecs|json-text|row-id|fast-json-stringify|uuid|collection-service/, 'row to JSON'],
  [/libs\/paging\/|cursor-secrets|list-query/, 'query, cursor, Link'],
  [/libs\/service\/dist\/(?:collections|events)\//, 'plan and SQL'],
  [
    /api\/dist\/(?:auth|oauth|accounts|api-keys|throttling)\/|libs\/(?:throttling|caching|dtos)\//,
    'auth, quota, crypto',
  ],
  [/^node:(?:internal\/)?crypto|passport/, 'auth, quota, crypto'],
  [/service\/dist\/(?:logging|metrics)\/|sonic-boom|pino|^node:(?:internal\/)?fs/, 'access log'],
  [/libs\/exception-filter\/|service\/dist\/(?:edge|operations|service-edge)\//, 'headers, front door'],
  [/libs\/conventions\/|service\/dist\/nest\/|@nestjs|apps\/api\//, 'router, guard, handler'],
  [/fastify|find-my-way|secure-json-parse|fast-querystring|toad-cache/, 'Fastify'],
  [/^node:/, 'node http, streams, ticks'],
];

/** Native functions, except those that the log calls. @type {typeof files} */
const natives = [
  [/garbage collector/, 'GC'],
  [
    /^(?:writev?|write\w*String|writeBuffer|WriteWrap|readStart|shutdown|close|accept|\(program\))$/,
    'socket, libuv, kernel',
  ],
  [/^(?:runMicrotasks|getLibuvNow|scheduleTimer|toggleTimerRef|now)$/, 'node http, streams, ticks'],
];

/** Methods of a database driver that run a statement. */
const STATEMENT = /^(?:get|all|run|exec|iterate)$/;

/** @param {Place} place its files relative to the workspace. @returns {Layer} */
export function layerOf({ name, file, caller }) {
  if (file !== '') return ruleFor(files, file);
  if (/^node:(?:internal\/)?fs/.test(caller)) return 'access log';
  if (STATEMENT.test(name) && !caller.startsWith('node:')) return 'SQLite and driver';
  const native = ruleFor(natives, name);
  return native === 'other' ? ruleFor(files, caller) : native;
}

/** @param {typeof files} rules @param {string} text @returns {Layer} */
function ruleFor(rules, text) {
  const [, layer = 'other'] = rules.find(([fits]) => fits.test(text)) ?? [];
  return layer;
}
