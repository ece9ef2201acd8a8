import { type Code, code } from './recipe.js';

/** Says what is wrong with a body: `problem_of`. */
export const PROBLEM_OF = code`
def problem_of(body):
    """What is wrong with a body. None if it is a NewPlant."""
    if not isinstance(body, dict):
        return "the body must be a JSON object"
    if not isinstance(body.get("name"), str):
        return '"name" must be a string'
    # True is an int to Python, and its integers have no bounds.
    if type(body.get("id")) is not int or not -(2**63) <= body["id"] < 2**63:
        return '"id" must be an int64'
    if "tag" in body and not isinstance(body["tag"], str):
        return '"tag" must be a string'
    return None`;

/** Findings that a check of the body fixes. */
export function byBody(check: Code): Readonly<Record<string, Code>> {
  return {
    'types-are-not-checked': check,
    'unhandled-exception': check,
    'booleans-count-as-integers': check,
    'fractions-are-accepted': check,
    'null-counts-as-missing': check,
    'id-is-unbounded': check,
    'request/id-is-within-int64': check,
    'request/body-is-required': check,
    'request/body-is-json': check,
    'request/body-is-an-object': check,
    'request/name-is-required': check,
    'request/id-is-required': check,
  };
}

/** A response without the tag of a plant that has none. */
export const WITHOUT_NULL = {
  text: 'Use this as the body of the response.',
  code: code`
plant = {"name": name}
if tag is not None:
    plant["tag"] = tag`,
};
