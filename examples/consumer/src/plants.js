// plants.js
/** Creates a plant; its `id` is a number or a bigint. Returns what the plant store returns: `name`, and `tag` if any. */
export async function createPlant(url, token, { name, id, tag }) {
  const plant = tag === undefined ? { name } : { name, tag };
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    // JSON.stringify cannot write a bigint, and a number would round the id, so the digits are inserted.
    body: JSON.stringify(plant).replace('{', `{"id":${BigInt(id)},`),
  });
  const result = await response.json();
  if (!response.ok) throw new Error(result.message);
  return result;
}
