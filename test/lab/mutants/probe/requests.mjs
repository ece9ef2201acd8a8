// The thousand requests of the probe, drawn with a fixed seed. They share nothing with the rows of a check, so that what a
// check forgets is not forgotten here too.
import { randomFrom } from '../../torture/run.mjs';
import * as values from './values.mjs';

/**
 * What the interface demands of the response:
 *
 * - `plain`: 200 with the plant. The most ordinary words, and an id from 1.
 * - `valid`: 200 with the plant, or a 4xx: limits of texts are not shown.
 * - `mistake`: a 4xx.
 * - `open`: nothing is shown; but no 5xx and no lost response, a 200 has a Plant, and a 400 an Error.
 * - `elsewhere`: another path, another method or a limit. Nothing is judged.
 *
 * @typedef {'plain' | 'valid' | 'mistake' | 'open' | 'elsewhere'} Kind
 *
 * @typedef {object} Request
 * @property {Kind} kind
 * @property {string} title
 * @property {string} method
 * @property {string} path
 * @property {[string, string][]} headers
 * @property {Buffer} body
 * @property {boolean} chunked
 * @property {boolean} together whether it is sent beside others
 * @property {{ name: string, tag?: string }} [plant] what comes back if it is accepted
 */

const SEED = 54;
const TYPE = ['Content-Type', 'application/json'];
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
/** How many plain plants are sent at once at the end. */
const TOGETHER = 40;
const INT32 = 2 ** 31 - 1;

/**
 * @param {string} token the one that is accepted
 * @returns {Request[]}
 */
export function probeRequests(token) {
  const draw = drawing();
  const authorization = ['Authorization', `Bearer ${token}`];
  const context = { draw, token, authorization };
  const groups = [valid, mistakes, credentials, open, elsewhere].flatMap((topic) => topic(context));
  const crowd = Array.from({ length: TOGETHER }, () =>
    plain('plain', 'a plain plant beside others', context, { together: true }),
  );
  return [...draw.shuffled(groups.map((group) => [group].flat())), ...crowd].flat();
}

function request(kind, title, body, { authorization }, more = {}) {
  return {
    ...{ kind, title, method: 'POST', path: '/plants', chunked: false, together: false },
    ...{ headers: [authorization, TYPE], body: Buffer.from(body) },
    ...more,
  };
}

/** A plant that no other request has. */
function plain(kind, title, context, more) {
  const { draw } = context;
  const plant = draw.below(2) ? { name: draw.name(), tag: draw.word() } : { name: draw.name() };
  return request(kind, title, textOf(plant, draw.id()), context, { plant, ...more });
}

function valid(context) {
  const { draw, authorization } = context;
  const withPlant = (kind, title, plant, id = draw.id(), write = textOf) =>
    request(kind, title, write(plant, id), context, { plant });
  const withFields = (kind, field, ...headers) =>
    plain(kind, field.join(': '), context, { headers: [authorization, ...headers] });
  return [
    ...times(190, () => plain('plain', 'a plain plant', context)),
    ...times(20, () => plain('plain', 'a plain plant in chunks', context, { chunked: true })),
    ...values.PLAIN_IDS.map((id) => withPlant('plain', `the id ${id}`, { name: draw.name() }, id)),
    ...values.ODD_IDS.map((id) =>
      withPlant('valid', `the id ${id}`, { name: draw.name(), tag: draw.word() }, id),
    ),
    ...values.ODD_TEXTS.flatMap((text) => [
      withPlant('valid', `the name ${JSON.stringify(text)}`, { name: text, tag: draw.word() }),
      withPlant('valid', `the tag ${JSON.stringify(text)}`, { name: draw.name(), tag: text }),
    ]),
    ...values.LENGTHS.map((length) =>
      withPlant('valid', `${length} letters`, { name: 'N'.repeat(length), tag: 't'.repeat(length) }),
    ),
    ...[textOf, spaced, escaped, reversed].flatMap((write) =>
      times(10, () => {
        const text = () => draw.oneOf(values.ODD_TEXTS) + draw.word() + draw.oneOf(values.ODD_TEXTS);
        return withPlant(
          'valid',
          `a plant, ${write.name}`,
          { name: text(), tag: text() },
          draw.id(2 ** 53),
          write,
        );
      }),
    ),
    ...values.USUAL_FIELDS.map((field) => withFields('plain', field, TYPE, field)),
    withFields('plain', ['a long field'], TYPE, ['X-Long', 'x'.repeat(1_000)]),
    ...values.JSON_TYPES.map((type) => withFields('plain', ['Content-Type', type], ['Content-Type', type])),
  ];
}

function mistakes(context) {
  const { draw } = context;
  /** The fields of a plant as texts of JSON, with others put over them. `undefined` leaves one out. */
  const mistake = (title, others) => request('mistake', title, objectOf(draw, others), context);
  const otherKey = (title, change) =>
    ['name', 'id'].map((key) =>
      mistake(`${key} ${title}`, { [key]: undefined, [change(key)]: key === 'id' ? draw.id() : '"Aloe"' }),
    );
  const thrice = (title, field, value) =>
    times(3, (at) =>
      mistake(`the ${title} ${value}`, { ...(at === 1 ? { tag: '"herb"' } : {}), [field]: value }),
    );
  return [
    ...['name', 'id'].map((key) => mistake(`no ${key}`, { [key]: undefined })),
    ...['name', 'id'].map((key) => mistake(`no ${key}, with a tag`, { [key]: undefined, tag: '"herb"' })),
    ...otherKey('in capitals', (key) => key.toUpperCase()),
    ...otherKey('after a space', (key) => ` ${key}`),
    ...values.NO_STRINGS.flatMap((value) => [
      ...thrice('name', 'name', value),
      ...thrice('tag', 'tag', value),
    ]),
    ...values.NO_INT64.flatMap((value) => thrice('id', 'id', value)),
    ...[...values.NOT_JSON, ...values.NO_OBJECTS].flatMap((text) => [
      request('mistake', `the body ${text}`, text, context),
      request('mistake', `the body ${text} in chunks`, text, context, { chunked: true }),
    ]),
    ...times(40, () => {
      const { body } = plain('mistake', '', context);
      return request(
        'mistake',
        'a plant that is cut',
        body.subarray(0, 1 + draw.below(body.length - 1)),
        context,
      );
    }),
    ...times(30, () =>
      mistake('two mistakes', { name: draw.oneOf(values.NO_STRINGS), id: draw.oneOf(values.NO_INT64) }),
    ),
  ];
}

function credentials(context) {
  const { draw, token } = context;
  const wrong = [
    ...values.WRONG_CREDENTIALS.map((field) => field.replaceAll('…', token)),
    ...[token.slice(1), token.slice(0, -1), token.toUpperCase(), token.replace('-', '_')].map(
      (near) => `Bearer ${near}`,
    ),
    ...['a', 'é'].map((letter) => `Bearer ${letter.repeat(token.length)}`),
  ];
  const withCredentials = (kind, field) =>
    plain(kind, `Authorization: ${field}`, context, { headers: [['Authorization', field], TYPE] });
  return [
    ...wrong.flatMap((field) => [
      withCredentials('mistake', field),
      request('mistake', `Authorization: ${field}, and no plant`, '{}', context, {
        headers: [['Authorization', field], TYPE],
      }),
    ]),
    ...times(12, () => plain('mistake', 'no token', context, { headers: [TYPE] })),
    ...times(12, () => plain('mistake', 'no token, in chunks', context, { headers: [TYPE], chunked: true })),
    ...times(12, () => withCredentials('mistake', `Bearer ${draw.word()}-${draw.word()}`)),
    ...['X-Authorization', 'Proxy-Authorization', 'Token', 'X-Api-Key', 'Cookie'].map((key) =>
      plain('mistake', `the token in ${key}`, context, { headers: [[key, `Bearer ${token}`], TYPE] }),
    ),
    ...['access_token', 'token'].map((key) =>
      plain('mistake', 'the token in the query', context, {
        headers: [TYPE],
        path: `/plants?${key}=${token}`,
      }),
    ),
    ...values.ODD_CREDENTIALS.map((field) => withCredentials('open', field.replace('…', token))),
  ];
}

function open(context) {
  const { draw, authorization } = context;
  const withBody = (title, body) => request('open', title, body, context);
  const withOther = (title, others) => withBody(title, objectOf(draw, others));
  const withFields = (...fields) => plain('open', 'two tokens', context, { headers: [...fields, TYPE] });
  const withType = (type) => {
    const headers = [authorization, ...(type === undefined ? [] : [['Content-Type', type]])];
    return [
      plain('open', `Content-Type: ${type}`, context, { headers }),
      request('open', `Content-Type: ${type}, and no plant`, '[]', context, { headers }),
    ];
  };
  const twice = (at) => {
    const [id, plant] = [at === 0 ? values.LAST_ID : draw.id(), { name: draw.name() }];
    const other = draw.below(2) ? plant : { name: draw.name(), tag: draw.word() };
    return [
      request('plain', 'a plant', textOf(plant, id), context, { plant }),
      request('open', 'its id again', textOf(other, id), context, { plant: other }),
      plain('plain', 'another plant', context),
    ];
  };
  const notUtf8 = (...bytes) =>
    withBody(
      'a name that is not UTF-8',
      Buffer.concat([Buffer.from('{"name":"'), Buffer.from(bytes), Buffer.from(`","id":${draw.id()}}`)]),
    );
  return [
    ...times(25, twice),
    ...values.UNKNOWN_KEYS.flatMap((key) =>
      values.UNKNOWN_VALUES.map((value) => {
        const plant = { name: draw.name() };
        const body = `{"${key}":${value},"name":"${plant.name}","id":${draw.id()}}`;
        return request('open', `"${key}": ${value} beside a plant`, body, context, { plant });
      }),
    ),
    ...[
      ['"a"', '7'],
      ['7', '"b"'],
      ['"a"', '"b"'],
    ].map(([first, second]) => withBody('two names', `{"name":${first},"name":${second},"id":${draw.id()}}`)),
    ...[
      [draw.id(), '"a"'],
      ['"a"', draw.id()],
      [draw.id(), draw.id()],
    ].map(([first, second]) => withBody('two ids', `{"name":"Aloe","id":${first},"id":${second}}`)),
    ...values.ODD_INTEGERS.map((value) => withOther(`the id ${value}`, { id: value })),
    ...['"\\ud800"', '"\\udc00x"', '"a\\ud800"'].map((text) => withOther(`the name ${text}`, { name: text })),
    notUtf8(0xff),
    notUtf8(0xc3),
    notUtf8(0xed, 0xa0, 0x80),
    notUtf8(0xf8, 0x88, 0x80, 0x80, 0x80),
    ...['\ufeff', '\u00a0', '\u2028', '\f', '\v'].map((prefix) =>
      withBody(`${JSON.stringify(prefix)} before the body`, prefix + objectOf(draw, {})),
    ),
    withBody('UTF-16', Buffer.from(objectOf(draw, {}), 'utf16le')),
    ...[10, 100, 1_000, 20_000].map((depth) =>
      withOther(`${depth} arrays in a field`, { a: '['.repeat(depth) + ']'.repeat(depth) }),
    ),
    ...[undefined, '', ...values.OTHER_TYPES].flatMap(withType),
    withFields(authorization, ['Authorization', 'Bearer wrong']),
    withFields(['Authorization', 'Bearer wrong'], authorization),
    ...values.QUERIES.map((path) => plain('open', `to ${path}`, context, { path })),
  ];
}

function elsewhere(context) {
  const { draw, authorization } = context;
  return [
    ...values.OTHER_PATHS.flatMap((path) =>
      [[authorization, TYPE], [TYPE]].map((headers) =>
        plain('elsewhere', `to ${path}`, context, { path, headers }),
      ),
    ),
    ...values.OTHER_METHODS.flatMap((method) =>
      [[authorization], []].map((headers) => request('elsewhere', method, '', context, { method, headers })),
    ),
    ...values.SIZES.flatMap((size) =>
      [false, true].map((chunked) =>
        request(
          'elsewhere',
          `a body of ${size} bytes`,
          objectOf(draw, { name: `"${'N'.repeat(size)}"` }),
          context,
          { chunked },
        ),
      ),
    ),
  ];
}

function times(count, make) {
  return Array.from({ length: count }, (_, at) => make(at));
}

function objectOf(draw, others) {
  const fields = Object.entries({ name: `"${draw.name()}"`, id: draw.id(), ...others });
  return `{${fields
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `"${key}":${value}`)
    .join()}}`;
}

function textOf({ name, tag }, id) {
  const rest = tag === undefined ? '' : `,"tag":${JSON.stringify(tag)}`;
  return `{"name":${JSON.stringify(name)},"id":${id}${rest}}`;
}

function spaced({ name, tag }, id) {
  return `\r\n{ "id" :\t${id} ,\n "tag" : ${JSON.stringify(tag)} , "name" : ${JSON.stringify(name)} } \n`;
}

function reversed({ name, tag }, id) {
  return `{"tag":${JSON.stringify(tag)},"id":${id},"name":${JSON.stringify(name)}}`;
}

function escaped({ name, tag }, id) {
  const unit = (text, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  const quoted = (text) => `"${times(text.length, (at) => unit(text, at)).join('')}"`;
  return `{"name":${quoted(name)},"id":${id},"tag":${quoted(tag)}}`;
}

/** Draws the same in every run. */
function drawing() {
  const random = randomFrom(SEED);
  const used = new Set([...values.PLAIN_IDS, ...values.ODD_IDS, values.LAST_ID]);
  const below = (count) => Math.floor(random() * count);
  const oneOf = (list) => list[below(list.length)];
  const word = (most = 12) => times(1 + below(most), () => oneOf(LETTERS)).join('');
  const id = (most = INT32) => {
    const drawn = String(1 + Math.floor(random() ** 3 * (most - 1)));
    if (used.has(drawn)) return id(most);
    used.add(drawn);
    return drawn;
  };
  const shuffled = (list) =>
    list
      .map((item) => ({ item, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ item }) => item);
  return {
    below,
    oneOf,
    word,
    id,
    shuffled,
    name: () => word(30).replace(/^./, (letter) => letter.toUpperCase()),
  };
}
