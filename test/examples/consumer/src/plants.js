// plants.js
/**
 * Creates a plant in the plant store.
 *
 * @param url where the plant store is
 * @param plant its `id` a number, or a bigint beyond 2^53
 * @returns the plant as the plant store gives it back: `name`, and `tag` where it has one
 * @throws where the plant store refuses, with what it says
 */
export async function createPlant(url, token, plant) {
  const response = await fetch(`${url}/plants`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: bodyOf(plant),
  });
  const answer = await response.json();
  if (!response.ok) throw new Error(answer.message);
  return answer;
}

/** JSON.stringify takes no bigint, and a number would round the id: its digits are written as they are. */
function bodyOf({ name, id, tag }) {
  const further = tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`;
  return `{"name":${JSON.stringify(name)},"id":${BigInt(id)}${further}}`;
}
