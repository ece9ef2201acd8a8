import {
  type ExecutableInteraction,
  execute,
  type InteractionBuilder,
  type PactMock,
  type PactSettings,
} from './execute.js';
import type { Scene } from './scenes.js';
import { withoutToken } from './without-token.js';

/** Builds a ready interaction, and executes it. */
export function play<Call, T>(
  settings: PactSettings,
  scene: Scene<Call>,
  run: (call: Call) => Promise<T>,
): Promise<T> {
  const withCall = ({ url }: PactMock): Promise<T> => run({ ...scene.call, url } as Call);
  return execute(
    settings,
    (pact) => built(pact, settings, scene),
    scene.authorization === undefined ? (mock) => withoutToken(mock, withCall) : withCall,
  );
}

function built(
  pact: InteractionBuilder,
  { installed }: PactSettings,
  { description, states, authorization, request, response, status }: Scene<unknown>,
): ExecutableInteraction {
  const { HTTPResponseStatusClass, MatchersV3 } = installed.pact;
  for (const { name, params } of states) pact.given(name, params);
  return pact
    .uponReceiving(description)
    .withRequest('POST', '/plants', (builder) => {
      // This says application/json, too, and lets a charset pass.
      builder.jsonBody(request);
      if (authorization === undefined) return;
      const value =
        'any' in authorization
          ? MatchersV3.regex('Bearer .+', `Bearer ${authorization.any}`)
          : `Bearer ${authorization.exactly}`;
      builder.headers({ Authorization: value });
    })
    .willRespondWith(
      status.any4xx
        ? MatchersV3.matchStatus(status.example, HTTPResponseStatusClass.ClientError)
        : status.example,
      (builder) => {
        builder.jsonBody(response);
      },
    );
}
