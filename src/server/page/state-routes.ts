import { DONE, ok, problem, type Routes } from '../control/control-request.js';
import type { Engine } from '../engine.js';
import { failureText } from '../failures/failure-text.js';
import type { ShownFailure, ShownPlants } from './browser/wire.js';
import { type ExchangeRedactors, shownField } from './exchange-redactor.js';

const MOST_PLANTS = 200;
const LONGEST = 300;

/** What a page shows of the state of a server. A plant or a failure may have a token in it. */
export function stateRoutes(engine: Engine, redactors: ExchangeRedactors): Routes {
  const shown = (text: string): string => {
    const hidden = redactors.for([]).text(text);
    return hidden.length <= LONGEST ? hidden : `${hidden.slice(0, LONGEST).toWellFormed()}…`;
  };
  const plants = (): ShownPlants => ({
    total: engine.plants.size,
    // As text: a number of JavaScript has too few digits for an id.
    plants: engine.plants.last(MOST_PLANTS).map(({ id, name, tag }) => ({
      id: String(id),
      name: shown(name),
      ...(tag !== undefined && { tag: shown(tag) }),
    })),
  });
  const failures = (): readonly ShownFailure[] =>
    engine.failures
      .numbered()
      .map(({ number, failure }) => ({ number, text: shown(failureText(hideIn(failure))) }));
  return {
    '/shown-plants': { GET: () => ok(plants()) },
    '/shown-failures': { GET: () => ok(failures()) },
    '/shown-failures/{number}': {
      DELETE({ parameters: { number = '' } }) {
        const isRemoved = /^\d{1,15}$/.test(number) && engine.failures.remove(Number(number));
        return isRemoved ? DONE : problem(404, `the failure ${number} is not set`);
      },
    },
  };
}

/** A failure may be for requests with certain credentials, which no request needs to have sent yet. */
function hideIn<F extends { readonly when?: object }>(failure: F): F {
  const { when = {} } = failure;
  const { headers } = when as { readonly headers?: Readonly<Record<string, string>> };
  if (headers === undefined) return failure;
  const hidden = Object.entries(headers).map(([name, value]) => [name, shownField(name, value)]);
  return { ...failure, when: { ...when, headers: Object.fromEntries(hidden) } };
}
