// The thousand requests of the probe, drawn with a fixed seed. They share nothing with the rows of a check, so that what a
// check forgets is not forgotten here too.
import { randomFrom } from '../../torture/run.mjs';

/**
 * What the interface demands of the response:
 *
 * - `plain`: 200 with the plant. The most ordinary words, and an id from 1.
 * - `valid`: 200 with the plant, or a 4xx: limits of texts are not shown.
 * - `mistake`: a 4xx.
 * - `open`: nothing is shown; but no 5xx and no lost response, and a 200 is a Plant, and a 400 an Error.
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
/** So many plain plants at the end are sent at once. */
const TOGETHER = 40;
const TYPE = ['Content-Type', 'application/json'];

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const ODD_TEXTS = [
  ...[
    '',
    ' ',
    '  two  words ',
    '0',
    '007',
    '1e3',
    'true',
    'null',
    'undefined',
    'NaN',
    '__proto__',
    'constructor',
  ],
  ...[
    'Ölbaum',
    'Ångström',
    'Ångström',
    '薔薇',
    '🌵',
    '👩‍🌾',
    'ﬁ',
    'İ',
    'ß',
    'שלום',
    'e\u0301',
    '\u200b',
    '\ufeff',
  ],
  ...[
    '<b>&amp;</b>',
    '&',
    '"',
    "'",
    '\\',
    '/',
    '\\u0041',
    '%41',
    '{{1+1}}',
    '$&',
    "'; drop table plants; --",
    '$1',
  ],
  ...[
    '\n',
    '\r\n',
    '\t',
    '\u0000',
    '\u0001',
    '\u001f',
    '\u007f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\uffff',
    '\u{10ffff}',
  ],
  ...[
    'a,b',
    'a;b',
    'a=b',
    '[1]',
    '{"a":1}',
    '-',
    '+1',
    '1_000',
    '१२३',
    '.',
    '..',
    '*',
    '?',
    '#',
    '@',
    '~',
    '`',
    '|',
  ],
];
const WRONG_TEXTS = [
  '7',
  '-1',
  '7.5',
  '1e400',
  '123456789012345678901',
  'true',
  'false',
  'null',
  '[]',
  '["a"]',
  '{}',
  '{"a":"b"}',
];
const WRONG_IDS = [
  ...[
    '"7"',
    '""',
    '"a"',
    '7.5',
    '-0.5',
    '1e-1',
    '1e400',
    '1.5e300',
    'true',
    'false',
    'null',
    '[]',
    '[7]',
    '{}',
    '{"id":7}',
  ],
  ...[
    '9223372036854775808',
    '-9223372036854775809',
    '18446744073709551616',
    '18446744073709551623',
    '12345678901234567890123',
  ],
];
const NOT_JSON = [
  ...[
    '',
    ' ',
    'x',
    'name=Aloe&id=7',
    '{',
    '}',
    '{"name":"Aloe"',
    '{"name":"Aloe","id":}',
    "{'name':'Aloe','id':7}",
  ],
  ...[
    '{"name":"Aloe","id":7}}',
    '{"name":"Aloe","id":7}x',
    '{"name":"Aloe","id":7}{"name":"Aloe","id":8}',
    '{name:"Aloe",id:7}',
  ],
  ...[
    '{"name":"Aloe","id":7,}',
    '{"name":"Aloe","id":07}',
    '{"name":"Aloe","id":+7}',
    '{"name":"Aloe","id":0x7}',
    '{"name":"Aloe","id":7.}',
  ],
  ...[
    '{"name":"Aloe","id":NaN}',
    '{"name":"Aloe","id":Infinity}',
    '{"name":"Aloe","id":-Infinity}',
    '{"name":"Aloe","id":7 8}',
    '// a\n{"name":"Aloe","id":7}',
  ],
  ...[
    '{"name":"Al\noe","id":7}',
    '{"name":"Al\\xoe","id":7}',
    '{"name":"Al\\u00","id":7}',
    '{"name":"Aloe" "id":7}',
    '{"name":"Aloe","id":7',
  ],
];
const NO_PLANTS = [
  'null',
  'true',
  '7',
  '"Aloe"',
  '[]',
  '{}',
  '[{"name":"Aloe","id":7}]',
  '[["name","Aloe"],["id",7]]',
  '[[]]',
  '0',
  '""',
];
const VALID_IDS = [
  ...[
    '2147483647',
    '2147483648',
    '4294967295',
    '4294967296',
    '9007199254740991',
    '9007199254740992',
    '9007199254740993',
  ],
  ...[
    '9223372036854775807',
    '9223372036854775806',
    '1000000000000000000',
    '999999999999999',
    '1234567890123456',
    '12345678901234567',
  ],
];
const ODD_IDS = [
  '0',
  '-1',
  '-7',
  '-2147483649',
  '-9007199254740993',
  '-9223372036854775808',
  '-9223372036854775807',
];

/**
 * @param {string} token the one that is accepted
 * @returns {Request[]}
 */
export function probeRequests(token) {
  const random = randomFrom(SEED);
  const below = (count) => Math.floor(random() * count);
  const oneOf = (values) => values[below(values.length)];
  const word = (most = 12) => Array.from({ length: 1 + below(most) }, () => oneOf(LETTERS)).join('');
  const name = () => word(30).replace(/^./, (letter) => letter.toUpperCase());
  const used = new Set([...VALID_IDS, ...ODD_IDS]);
  const freshId = (most = 2 ** 31 - 1) => {
    const id = String(1 + Math.floor(random() ** 3 * (most - 1)));
    if (used.has(id)) return freshId(most);
    used.add(id);
    return id;
  };

  /** @type {Request[][]} */
  const groups = [];
  const request = (kind, title, body, more = {}) => ({
    ...{
      kind,
      title,
      method: 'POST',
      path: '/plants',
      chunked: false,
      together: false,
      body: Buffer.from(body),
    },
    headers: [['Authorization', `Bearer ${token}`], TYPE],
    ...more,
  });
  const add = (...list) =>
    groups.push(list.map(([kind, title, body, more]) => request(kind, title, body, more)));
  const plantOf = (plant, id = freshId()) => ({ body: textOf(plant, id), plant });
  const plain = () => plantOf(below(2) ? { name: name(), tag: word() } : { name: name() });
  const addPlain = (kind, title, more) => {
    const { body, plant } = plain();
    add([kind, title, body, { plant, ...more }]);
  };
  /** The fields of a plant as texts of JSON, with others put over them. `undefined` leaves one out. */
  const fields = (others) =>
    `{${Object.entries({ name: JSON.stringify(name()), id: freshId(), ...others })
      .filter(([, value]) => value !== undefined)
      .map(([key, value]) => `"${key}":${value}`)
      .join(',')}}`;

  for (let count = 0; count < 190; count++) addPlain('plain', 'a plain plant');
  for (let count = 0; count < 20; count++) addPlain('plain', 'a plain plant in chunks', { chunked: true });
  for (const id of VALID_IDS) {
    const { body, plant } = plantOf({ name: name() }, id);
    add(['plain', `the id ${id}`, body, { plant }]);
  }
  for (const id of ODD_IDS) {
    const { body, plant } = plantOf({ name: name(), tag: word() }, id);
    add(['valid', `the id ${id}`, body, { plant }]);
  }
  for (const text of ODD_TEXTS) {
    const named = plantOf({ name: text, tag: word() });
    add(['valid', `the name ${JSON.stringify(text)}`, named.body, { plant: named.plant }]);
    const tagged = plantOf({ name: name(), tag: text });
    add(['valid', `the tag ${JSON.stringify(text)}`, tagged.body, { plant: tagged.plant }]);
  }
  for (const length of [31, 64, 127, 128, 129, 255, 256, 257, 1_000, 5_000]) {
    const { body, plant } = plantOf({ name: 'N'.repeat(length), tag: 't'.repeat(length) });
    add(['valid', `${length} letters`, body, { plant }]);
  }
  for (let count = 0; count < 40; count++) {
    const plant = {
      name: `${oneOf(ODD_TEXTS)}${word()}${oneOf(ODD_TEXTS)}`,
      tag: oneOf(ODD_TEXTS) + oneOf(ODD_TEXTS),
    };
    const id = freshId(2 ** 53);
    const text = [textOf(plant, id), spaced(plant, id), escaped(plant, id), reversed(plant, id)][count % 4];
    add(['valid', 'a plant that is written in another way', text, { plant }]);
  }
  for (const [title, field] of [
    ['Accept: application/json', ['Accept', 'application/json']],
    ['Accept: */*', ['Accept', '*/*']],
    ['Accept with weights', ['Accept', 'text/html;q=0.9, application/json;q=0.8']],
    ['User-Agent', ['User-Agent', 'probe/1.0 (like "a browser")']],
    ['Origin', ['Origin', 'https://shop.example']],
    ['a cookie', ['Cookie', 'a=b; c="d"']],
    ['traceparent', ['traceparent', '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01']],
    ['X-Forwarded-For', ['X-Forwarded-For', '203.0.113.7, 10.0.0.1']],
    ['Accept-Encoding', ['Accept-Encoding', 'gzip, br']],
    ['Accept-Language', ['Accept-Language', 'de-CH, de;q=0.9']],
    ['a long field', ['X-Long', 'x'.repeat(1_000)]],
  ])
    addPlain('plain', title, { headers: [['Authorization', `Bearer ${token}`], TYPE, field] });
  for (const type of [
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; charset="utf-8"',
    'Application/JSON',
  ])
    addPlain('valid', `Content-Type: ${type}`, {
      headers: [
        ['Authorization', `Bearer ${token}`],
        ['Content-Type', type],
      ],
    });

  for (const field of ['name', 'id']) add(['mistake', `no ${field}`, fields({ [field]: undefined })]);
  for (const field of ['name', 'id'])
    add(['mistake', `no ${field}, with a tag`, fields({ [field]: undefined, tag: '"herb"' })]);
  for (const field of ['name', 'id']) {
    add([
      'mistake',
      `${field} in capitals`,
      fields({ [field]: undefined, [field.toUpperCase()]: field === 'id' ? freshId() : '"Aloe"' }),
    ]);
    add([
      'mistake',
      `${field} with a space`,
      fields({ [field]: undefined, [` ${field}`]: field === 'id' ? freshId() : '"Aloe"' }),
    ]);
  }
  for (const value of WRONG_TEXTS) {
    for (let count = 0; count < 3; count++) {
      add(['mistake', `the name ${value}`, fields({ name: value, ...(count % 2 ? { tag: '"herb"' } : {}) })]);
      add(['mistake', `the tag ${value}`, fields({ tag: value })]);
    }
  }
  for (const value of WRONG_IDS)
    for (let count = 0; count < 3; count++)
      add(['mistake', `the id ${value}`, fields({ id: value, ...(count % 2 ? { tag: '"herb"' } : {}) })]);
  for (const text of [...NOT_JSON, ...NO_PLANTS]) {
    add(['mistake', `the body ${text}`, text]);
    add(['mistake', `the body ${text} in chunks`, text, { chunked: true }]);
  }
  for (let count = 0; count < 40; count++) {
    const { body } = plain();
    add(['mistake', 'a plant that is cut', body.slice(0, 1 + below(body.length - 1))]);
  }
  for (let count = 0; count < 30; count++)
    add(['mistake', 'two mistakes', fields({ name: oneOf(WRONG_TEXTS), id: oneOf(WRONG_IDS) })]);

  const withFields = (...list) => ({ headers: [...list, TYPE] });
  const wrongFields = [
    ...[
      '',
      'Bearer',
      'Bearer ',
      token,
      `Basic ${token}`,
      `Token ${token}`,
      `Bearer${token}`,
      `Bearer: ${token}`,
      `Bearer=${token}`,
    ],
    ...[
      `Bearer ${token}x`,
      `Bearer x${token}`,
      `Bearer ${token.slice(1)}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token} ${token}`,
    ],
    ...[
      `Bearer ${token} x`,
      `Bearer x ${token}`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer "${token}"`,
      `Bearer <${token}>`,
      `Bearer ${token},`,
    ],
    ...[
      `Bearer,${token}`,
      `xBearer ${token}`,
      `Bearerx ${token}`,
      `Bearer undefined`,
      'Bearer null',
      'Bearer true',
      'Bearer 0',
      'Bearer *',
      'Bearer .*',
    ],
    ...[
      'Bearer a',
      'Basic YTpi',
      'Digest a="b"',
      'Negotiate x',
      'Bear',
      `Bearer ${'a'.repeat(token.length)}`,
      `Bearer ${'é'.repeat(token.length)}`,
    ],
    ...[
      `Bearer ${token.replace('-', '_')}`,
      `Bearer ${token.split('').reverse().join('')}`,
      `Bearer ${token};`,
      `Basic Bearer ${token}`,
    ],
  ];
  for (const field of wrongFields) {
    addPlain('mistake', `Authorization: ${field}`, withFields(['Authorization', field]));
    add(['mistake', `Authorization: ${field}, and no plant`, '{}', withFields(['Authorization', field])]);
  }
  for (let count = 0; count < 12; count++) {
    addPlain('mistake', 'no token', withFields());
    addPlain('mistake', 'no token, in chunks', { ...withFields(), chunked: true });
    addPlain('mistake', 'a random token', withFields(['Authorization', `Bearer ${word()}-${word()}`]));
  }
  for (const key of ['X-Authorization', 'Proxy-Authorization', 'Token', 'X-Api-Key', 'Cookie'])
    addPlain('mistake', `the token in ${key}`, withFields([key, `Bearer ${token}`]));
  for (const path of [`/plants?access_token=${token}`, `/plants?token=${token}`])
    addPlain('mistake', 'the token in the query', { ...withFields(), path });
  for (const field of [
    `bearer ${token}`,
    `BEARER ${token}`,
    `Bearer  ${token}`,
    `Bearer   ${token}`,
    `bEARER  ${token}`,
  ])
    addPlain('open', `Authorization: ${field}`, withFields(['Authorization', field]));

  for (let count = 0; count < 25; count++) {
    const id = count === 0 ? '9223372036854775805' : freshId();
    const first = plantOf({ name: name() }, id);
    const second = plantOf(below(2) ? first.plant : { name: name(), tag: word() }, id);
    const other = plantOf({ name: name() });
    add(
      ['plain', 'a plant', first.body, { plant: first.plant }],
      ['open', 'its id again', second.body, { plant: second.plant }],
      ['plain', 'another plant', other.body, { plant: other.plant }],
    );
  }
  for (const value of [
    '1',
    '1.5',
    '"a"',
    'null',
    'true',
    '[]',
    '{}',
    '{"id":"x","name":7}',
    '[{"id":1}]',
    '12345678901234567890',
    '1e5',
  ])
    for (const key of ['colour', 'ID', '__proto__', '']) {
      const plant = { name: name() };
      const body = `{"${key}":${value},"name":${JSON.stringify(plant.name)},"id":${freshId()}}`;
      add(['open', `${JSON.stringify(key)}: ${value} beside a plant`, body, { plant }]);
    }
  for (const [first, second] of [
    ['"a"', '7'],
    ['7', '"b"'],
    ['"a"', '"b"'],
  ])
    add(['open', 'two names', `{"name":${first},"name":${second},"id":${freshId()}}`]);
  for (const [first, second] of [
    [freshId(), '"a"'],
    ['"a"', freshId()],
    [freshId(), freshId()],
  ])
    add(['open', 'two ids', `{"name":"Aloe","id":${first},"id":${second}}`]);
  for (const value of ['7.0', '7e0', '70e-1', '1E2', '0.7e1', '10000000000000000000e-5'])
    add(['open', `the id ${value}`, fields({ id: value })]);
  for (const text of ['"\\ud800"', '"\\udc00x"', '"a\\ud800"'])
    add(['open', `the name ${text}`, fields({ name: text })]);
  for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xf8, 0x88, 0x80, 0x80, 0x80]]) {
    const body = Buffer.concat([
      Buffer.from('{"name":"'),
      Buffer.from(bytes),
      Buffer.from(`","id":${freshId()}}`),
    ]);
    add(['open', 'a name that is not UTF-8', body]);
  }
  for (const prefix of ['\ufeff', '\u00a0', '\u2028', '\f', '\v'])
    add(['open', `${JSON.stringify(prefix)} before the body`, prefix + plain().body]);
  add(['open', 'UTF-16', Buffer.from(plain().body, 'utf16le')]);
  for (const depth of [10, 100, 1_000, 20_000])
    add(['open', `${depth} arrays in a field`, fields({ a: '['.repeat(depth) + ']'.repeat(depth) })]);
  for (const type of [
    undefined,
    '',
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'text/json',
    'application/problem+json',
    'application/json, text/plain',
    'json',
    'application/json; charset=utf-16',
    'application/json; charset=latin1',
    'application/json; version=1',
    'application/json;',
    '; charset=utf-8',
    'application/json; charset=utf8',
    'application/jsonx',
    'xapplication/json',
    'image/png; application/json',
  ])
    for (const kind of ['a plain plant', 'no plant'])
      add([
        'open',
        `Content-Type: ${type}, ${kind}`,
        kind === 'no plant' ? '[]' : plain().body,
        {
          headers: [
            ['Authorization', `Bearer ${token}`],
            ...(type === undefined ? [] : [['Content-Type', type]]),
          ],
        },
      ]);
  addPlain(
    'open',
    'two tokens',
    withFields(['Authorization', `Bearer ${token}`], ['Authorization', 'Bearer wrong']),
  );
  addPlain(
    'open',
    'two tokens',
    withFields(['Authorization', 'Bearer wrong'], ['Authorization', `Bearer ${token}`]),
  );
  for (const path of ['/plants?a=b', '/plants?', '/plants?name=Fern&id=1', '/plants?x=/plants'])
    addPlain('open', `to ${path}`, { path });

  for (const path of [
    '/',
    '/plant',
    '/plants/',
    '/plants/7',
    '/Plants',
    '/plants2',
    '//plants',
    '/x?/plants',
    '/v1/plants',
    '/%70lants',
    '/plants%20',
    '/x/../plants',
  ])
    for (const headers of [[['Authorization', `Bearer ${token}`], TYPE], [TYPE]])
      addPlain('elsewhere', `to ${path}`, { path, headers });
  for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD'])
    for (const headers of [[['Authorization', `Bearer ${token}`]], []])
      add(['elsewhere', method, '', { method, headers }]);
  for (const size of [90_000, 200_000, 1_000_000, 1_048_500, 1_100_000, 3_000_000])
    for (const chunked of [false, true])
      add(['elsewhere', `a body of ${size} bytes`, fields({ name: `"${'N'.repeat(size)}"` }), { chunked }]);
  const oneByOne = groups.splice(0);
  for (let count = 0; count < TOGETHER; count++)
    addPlain('plain', 'a plain plant beside others', { together: true });
  return [...shuffled(oneByOne, below), ...groups].flat();
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
  const text = (value) =>
    `"${Array.from({ length: value.length }, (_, at) => `\\u${value.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;
  return `{"name":${text(name)},"id":${id},"tag":${text(tag)}}`;
}

function shuffled(list, below) {
  const rest = [...list];
  for (let at = rest.length - 1; at > 0; at--) {
    const other = below(at + 1);
    [rest[at], rest[other]] = [rest[other], rest[at]];
  }
  return rest;
}
