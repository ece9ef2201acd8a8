// house-rules.mjs
// Rules of one organisation, for `plant-store-contract check --rules house-rules.mjs`.
import { headerValues } from 'plant-store-contract/conformance';

export default [
  {
    id: 'house/request-id',
    title: 'Every response has the header X-Request-Id.',
    why: 'The support team finds a request in the log by its id.',
    usualCause: 'The middleware that sets the header does not run for errors.',
    fix: 'Set the header before anything else can respond.',
    // Without rows of its own, a rule judges every response of the check.
    judge({ response }) {
      const ids = headerValues(response.headers, 'x-request-id');
      if (ids.length === 1) return undefined;
      return { expected: 'one header X-Request-Id', actual: `${ids.length} such headers` };
    },
  },
  {
    id: 'house/response-time',
    title: 'No response takes longer than 2 s.',
    judge({ durationMs }) {
      if (durationMs <= 2_000) return undefined;
      return { expected: 'a response within 2,000 ms', actual: `${Math.ceil(durationMs)} ms` };
    },
  },
  {
    id: 'house/unknown-members-are-rejected',
    title: 'A plant with an unknown member is rejected with 400.',
    why: 'A mistyped member must not be lost silently.',
    fix: 'Set "additionalProperties" to false in the schema of the request.',
    // The interface leaves this open. The check sends this request for the rule, with a new name and a new id.
    rows: [
      {
        name: 'house/mistyped-tag',
        title: 'a plant with the member "tga"',
        requests: [{ body: '{"name":"<NAME>","id":<ID>,"tga":"succulent"}' }],
      },
    ],
    judge({ response }) {
      if (response.status === 400) return undefined;
      return { expected: '400', actual: String(response.status) };
    },
  },
];
