import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createClient, ItemsApiError } from '@items/client';

/* Imports items, changes their prices, and lists them. `node shop.js` prints its usage. */
const USAGE = `ITEMS_URL and ITEMS_KEY name the service and a key with items:read and items:write.
  node shop.js import <file>          one JSON object a line; a repetition within 24 hours creates nothing twice
  node shop.js sale <color> <percent> reduces the prices of a colour
  node shop.js list                   all items, the most expensive first`;

const { ITEMS_URL: baseUrl = 'http://localhost:3000', ITEMS_KEY: apiKey = '' } = process.env;
const commands = { import: importItems, sale, list };
const [name, ...args] = process.argv.slice(2);
const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
if (command === undefined || args.length !== command.length || apiKey === '') {
  console.error(USAGE);
  process.exit(2);
}
const { items } = createClient({ baseUrl, auth: { apiKey }, userAgent: 'shop-script/1.0' });
try {
  await command(...args);
} catch (error) {
  console.error(error.message);
  if (error instanceof ItemsApiError && error.requestId) console.error(`Ask about request ${error.requestId}.`);
  process.exitCode = 1;
}

async function importItems(path) {
  const file = await open(path);
  let number = 0;
  for await (const line of file.readLines()) {
    number += 1;
    if (line.trim() === '') continue;
    // The key depends only on the line and its number, so a second run creates no second item.
    const idempotencyKey = createHash('sha256').update(`${number}\n${line}`).digest('hex');
    const item = await items.create(JSON.parse(line), { idempotencyKey });
    console.log(`${item.id} ${item.name}`);
  }
}

async function sale(color, percent) {
  if (!(percent > 0 && percent <= 100)) throw new Error('The percent must be a number above 0 and at most 100.');
  for await (const { id, name, price } of items.walk({ color })) {
    if (price === null) continue;
    // Sends If-Match. If another client has changed the item, reads it again and retries.
    const changed = await items.update(id, (item) => ({ ...item, price: lower(item.price, percent) }));
    console.log(`${name}: ${price} → ${changed.price}`);
  }
}

async function list() {
  for await (const { name, color, price } of items.walk({ sort: '-price' })) {
    console.log(`${price?.toFixed(2) ?? '–'}  ${name}${color === null ? '' : ` (${color})`}`);
  }
}

function lower(price, percent) {
  return price === null ? null : Math.round(price * (100 - percent)) / 100;
}
