import { accepts, rejects } from '../../rules/acceptance.js';
import { REQUEST_BODY, REQUEST_JSON, RESOURCES } from '../../rules/sources.js';

/** What the interface demands of JSON and its media type. */
export const jsonTextRules = [
  accepts({
    id: 'request/media-type-parameters-are-accepted',
    title: '"application/json; charset=utf-8" is accepted, with or without the space, and in capitals.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: REQUEST_JSON },
    why: 'A media type with parameters is still that media type (RFC 9110, section 8.3.1). JSON is in UTF-8 anyway, and many clients send this parameter by default.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Compare only the part before the semicolon.',
  }),
  accepts({
    id: 'request/media-type-case-is-ignored',
    title: '"Application/JSON" is accepted.',
    level: 'implied',
    source: { section: 'Endpoints', pointer: REQUEST_JSON },
    why: 'Media types are case-insensitive (RFC 9110, section 8.3.1), so this is application/json.',
    usualCause: 'Content-Type is compared with "application/json" as a string.',
    fix: 'Ignore the case when you compare media types.',
  }),
  accepts({
    id: 'request/spelling-of-json-is-ignored',
    title: 'White space, the order of members, and escapes in the JSON of a plant make no difference.',
    level: 'implied',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'The body is JSON. White space between tokens has no meaning, the members of an object have no order, and any letter may be written as an escape (RFC 8259, sections 2, 4 and 7). So these bodies are plain plants.',
    usualCause: 'The body is read with a regular expression or with a hand-written parser.',
    fix: 'Parse the body with a JSON library.',
  }),
  rejects({
    id: 'request/body-is-required',
    title: 'A request without a body is rejected.',
    level: 'documented',
    source: { section: 'Endpoints', pointer: `${REQUEST_BODY}/required` },
    why: 'The request body is required.',
    usualCause: 'A missing body is read as an empty object, and its fields get default values.',
    fix: 'Reject a request without a body.',
  }),
  rejects({
    id: 'request/body-is-json',
    title: 'A body that is not JSON is rejected: plain text, a form, XML, or JSON that is cut off.',
    level: 'documented',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'All bodies are JSON, so a body that is not JSON is not a NewPlant.',
    usualCause: 'Other media types are accepted too, or a body that cannot be read becomes an empty object.',
    fix: 'Accept only JSON, and reject a body that cannot be read.',
  }),
  rejects({
    id: 'request/near-json-is-refused',
    title: 'A body that is nearly JSON is rejected: with comments, single quotes or a comma at the end.',
    level: 'implied',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'All bodies are JSON, and the grammar of JSON (RFC 8259, section 2) has none of these. Whoever accepts one has decided what it means, and two readers decide differently: a gateway in front of the provider may read another plant.',
    usualCause: 'A lenient parser accepts comments, single quotes, trailing commas or other numbers.',
    fix: 'Use a strict JSON parser, or switch its extensions off.',
  }),
  rejects({
    id: 'request/nothing-follows-the-json',
    title: 'A body with something after the JSON of a plant is rejected.',
    level: 'implied',
    source: { section: RESOURCES, pointer: REQUEST_JSON },
    why: 'All bodies are JSON, and a JSON text is one value with nothing but white space around it (RFC 8259, section 2). So such a body is not JSON, although it begins like it. A provider that ignores the rest may lose data without telling the client.',
    usualCause: 'A streaming decoder reads one value and ignores the rest of the body.',
    fix: 'Check that nothing follows the value.',
  }),
];
