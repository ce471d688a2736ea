/**
 * Creates a resource.
 * @param {{ address: string, headers: Record<string, string> }} service
 * @param {string} path
 * @param {object} body
 * @returns {Promise<Record<string, unknown>>}
 */
export async function created({ address, headers }, path, body) {
  const answer = await fetch(address + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (answer.status !== 201) throw new Error(await answer.text());
  return /** @type {Record<string, unknown>} */ (await answer.json());
}
