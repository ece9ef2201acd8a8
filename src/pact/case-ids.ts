/**
 * Ids for the interactions of one report: each is readable, unique, and the same in every run.
 *
 * @returns gives the id of the next interaction, of a consumer if there are several: `a creation, given no plant with id (garden)`
 */
export function caseIds() {
  const uses = new Map<string, number>();
  const unused = (id: string): string => {
    const number = (uses.get(id) ?? 0) + 1;
    uses.set(id, number);
    return number === 1 ? id : unused(`${id} (${number})`);
  };
  return (
    { description, states }: { readonly description: string; readonly states: readonly string[] },
    consumer?: string,
  ): string => {
    const given = states.length === 0 ? '' : `, given ${states.join(' and ')}`;
    return unused(`${description}${given}${consumer === undefined ? '' : ` (${consumer})`}`);
  };
}
