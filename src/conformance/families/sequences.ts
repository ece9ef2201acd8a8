import type { ProbeRequest } from '../exchange.js';
import { defineProbe, type ProbeValues } from '../probe.js';
import { probeFrom } from './draft.js';
import { creation, creationWith, PLAIN_TAG, requestWith, withAuthorization } from './requests.js';
import { sequenceDrafts } from './sequence-drafts.js';

type MakeRequests = (values: ProbeValues) => readonly ProbeRequest[];

/** A bad request, and then a plain plant on its own. */
function afterBadRequest<const Name extends string>(
  name: Name,
  title: string,
  bad: (values: ProbeValues) => ProbeRequest,
) {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    control: 'plain-plant',
    phase: 'recovery',
    requests: (values) => [{ ...bad(values), expectation: 'rejected' }, creation(values)],
  });
}

/** A rejected plant, and then a valid one with the same id. */
function afterRejection<const Name extends string>(name: Name, title: string, requests: MakeRequests) {
  return defineProbe({
    name,
    title,
    expectation: 'created',
    control: 'plain-plant',
    phase: 'state',
    alone: true,
    requests,
  });
}

/** Sequences of accepted and rejected requests. */
export const sequenceProbes = [
  afterBadRequest('good-after-malformed-json', 'malformed JSON, then a plain plant', (values) =>
    requestWith(values, '{"name":"NAME","id":ID'),
  ),
  afterBadRequest('good-after-wrong-type', 'a plant whose name is a number, then a plain plant', (values) =>
    creationWith(values, { name: '7' }),
  ),
  defineProbe({
    name: 'repeated-id',
    title: 'a plant, the same plant again, and another plant with its id',
    expectation: 'open',
    phase: 'state',
    alone: true,
    requests(values) {
      const first = creation(values);
      const { plant, ...again } = { ...first, idMayExist: true };
      const { plant: other, ...otherName } = {
        ...creation(values, { id: first.id ?? 0 }),
        idMayExist: true,
      };
      return [{ ...first, expectation: 'created' }, again, otherName];
    },
  }),
  defineProbe({
    name: 'repeated-name',
    title: 'a plant, and another plant with its name and a tag',
    expectation: 'open',
    phase: 'state',
    requests(values) {
      const first = creation(values);
      const second = creation(values, { name: first.plant?.name ?? '', tag: PLAIN_TAG });
      return [{ ...first, expectation: 'created' }, second];
    },
  }),
  afterRejection(
    'created-after-wrong-tag',
    'a plant whose tag is a number, then a valid plant with its id',
    (values) => {
      const rejected = creationWith(values, { tag: '7' });
      return [{ ...rejected, expectation: 'rejected' }, creation(values, { id: rejected.id ?? 0 })];
    },
  ),
  afterRejection(
    'created-after-missing-token',
    'a plant without an Authorization header, then the same plant with it',
    (values) => {
      const request = creation(values);
      return [{ ...withAuthorization(request), expectation: 'rejected' }, request];
    },
  ),
  ...sequenceDrafts.map(probeFrom),
];
