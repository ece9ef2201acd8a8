// plants.js
/** Creates a plant, its `id` a number or a bigint, and gives it back as the plant store does: `name`, `tag` if any. */
export async function createPlant(url, token, { name, id, tag }) {
  const plant = tag === undefined ? { name } : { name, tag };
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    // JSON.stringify takes no bigint, and a number would round the id: its digits are written as they are.
    body: JSON.stringify(plant).replace('{', `{"id":${BigInt(id)},`),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}
