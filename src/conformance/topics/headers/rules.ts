import { accepts, REQUEST_JSON } from '../../rules/define.js';

/** What the interface demands of header fields that it does not name. */
export const headerRules = [
  accepts({
    id: 'request/other-fields-change-nothing',
    severity: 'error',
    title: 'A plain plant is accepted with the header fields that ordinary clients and gateways add.',
    level: 'implied',
    source: { section: 'Endpoints', rule: 1, pointer: REQUEST_JSON },
    why: 'When the request is valid and authorised, the service responds with 200. These requests have both headers of the interface and a NewPlant. The other fields describe the client or the way of the request, accept what the response is anyway, or mean nothing for POST. Names of fields have no case (RFC 9110, section 5.1).',
    usualCause:
      'Fields are looked up by their name in one case, or a field that only matters for GET or for HTML pages is read for every request.',
    fix: 'Compare names of fields without case, and ignore fields that the operation does not need.',
  }),
];
