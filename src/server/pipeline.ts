import type { NewPlant } from '../spec/types.js';
import type { JsonValue } from '../validation/json.js';
import { isPreflight, preflight, withCors } from './cors.js';
import { Refusal } from './error-codes.js';
import {
  type Answer,
  type Eventually,
  fieldValues,
  type IncomingRequest,
  type Pipeline,
} from './exchange.js';
import type { Fault } from './faults/fault.js';
import type { Settings } from './options.js';
import { correctSteps } from './steps.js';
import type { PlantMap, ReceivedLog, ReceivedRequest } from './store.js';

/** The steps with the faults put in, joined to one function that also keeps the log. */
export function createPipeline(
  settings: Settings,
  plants: PlantMap,
  received: ReceivedLog,
  faults: readonly Fault[],
): Pipeline {
  let steps = correctSteps(settings, plants);
  for (const fault of faults) steps = { ...steps, ...fault.replace(steps, { settings, plants }) };

  function answerTo(request: IncomingRequest): Eventually<Answer> {
    if (settings.cors !== false && isPreflight(request)) {
      return record(request, preflight(request, settings.cors), undefined);
    }
    if (request.malformed !== undefined)
      return finish(request, new Refusal('malformed-http', request.malformed));
    const misrouted = steps.route(request);
    if (misrouted !== undefined) return finish(request, misrouted);
    const refusal = steps.authenticate(request);
    return refusal instanceof Promise
      ? refusal.then((settled) => authenticated(request, settled))
      : authenticated(request, refusal);
  }

  function authenticated(request: IncomingRequest, refusal: Refusal | undefined): Eventually<Answer> {
    const plant = refusal ?? steps.prefer(request) ?? steps.checkMediaType(request) ?? plantOf(request);
    if (plant instanceof Refusal) return finish(request, plant);
    const created = steps.create(plant, request);
    return created instanceof Promise
      ? created.then((settled) => finish(request, settled))
      : finish(request, created);
  }

  function plantOf(request: IncomingRequest): NewPlant | Refusal {
    const value: JsonValue | Refusal = steps.readBody(request);
    return value instanceof Refusal ? value : steps.validate(value, request);
  }

  function finish(request: IncomingRequest, outcome: NewPlant | Refusal): Answer {
    const refused = outcome instanceof Refusal;
    const plain = refused ? steps.refuse(outcome, request) : steps.render(outcome, request);
    const answer = settings.cors === false ? plain : withCors(plain, request, settings.cors);
    return record(request, steps.deliver(answer, request), refused ? outcome.message : undefined);
  }

  function record(request: IncomingRequest, answer: Answer, why: string | undefined): Answer {
    received.add(request, answer.status, why);
    if (settings.logger !== undefined) log(settings.logger, received.show(request, answer.status, why));
    return answer;
  }

  function broken(request: IncomingRequest, cause: unknown): Answer {
    const said = cause instanceof Error ? cause.message : String(cause);
    // The function of the user that failed may have put the token into its message.
    const message = fieldValues(request.headers, 'authorization')
      .map((value) => value.replace(/^.* /, ''))
      .reduce(
        (text, credential) => (credential === '' ? text : text.replaceAll(credential, '[token]')),
        said,
      );
    return finish(request, new Refusal('internal-error', `the server failed: ${message}`));
  }

  const pipeline: Pipeline = (request) => {
    try {
      const answer = answerTo(request);
      return answer instanceof Promise ? answer.catch((cause) => broken(request, cause)) : answer;
    } catch (cause) {
      return broken(request, cause);
    }
  };
  return withDelay(pipeline, settings.delayMs);
}

/** A timer of node:timers/promises would do the same, and take a millisecond of every start to load. */
function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

function withDelay(pipeline: Pipeline, milliseconds: number): Pipeline {
  if (milliseconds === 0) return pipeline;
  return async (request) => {
    const [answer] = await Promise.all([pipeline(request), sleep(milliseconds)]);
    return answer;
  };
}

/** A logger that throws must not change the answer. */
function log(logger: (entry: ReceivedRequest) => void, entry: ReceivedRequest): void {
  try {
    logger(entry);
  } catch (cause) {
    process.emitWarning(`the logger of the plant store threw: ${String(cause)}`);
  }
}
