type Fetch = (request: Request) => Promise<Response>;

/** Why a provider rejects a plant that the reference server accepts. */
export type Constraint = (plant: {
  readonly name?: unknown;
  readonly id?: unknown;
  readonly tag?: unknown;
}) => string | undefined;

/** A provider that also has a constraint on plants that the interface does not show. */
export function constrained(fetch: Fetch, constraint: Constraint): Fetch {
  return async (request) => {
    const plant: unknown = await request
      .clone()
      .json()
      .catch(() => undefined);
    const message = constraint(Object(plant));
    if (message === undefined) return await fetch(request);
    return Response.json({ error: 400, message }, { status: 400 });
  };
}
