// What the probe puts into its requests. A list is one text: several words on a line, or a value on each line.

const words = (text) => text.trim().split(/\s+/);
const lines = (text) => text.split('\n').filter((line) => line !== '');

export const ODD_TEXTS = [
  '',
  ' ',
  '  two  words ',
  ...words(`
    0 007 1e3 -1 +1 1_000 १२३ true null undefined NaN __proto__ constructor Ölbaum Ångström Å 薔薇 🌵 👩‍🌾 ﬁ İ ß שלום
    <b>&amp;</b> & " ' / %41 {{1+1}} $& $1 ';drop/**/table/**/plants;-- a,b a;b a=b [1] {"a":1} - . .. * ? # @ ~ |
  `),
  ...words(String.raw`\ \\ \" \u0041 \n`),
  ...['e\u0301', '\u200b', '\ufeff', '\n', '\r\n', '\t', '\u0000', '\u0001', '\u001f', '\u007f', '\u0085'],
  ...['\u2028', '\u2029', '\uffff', '\u{10ffff}'],
];

export const LENGTHS = [31, 64, 127, 128, 129, 255, 256, 257, 1_000, 5_000];

/** Ids that every plain plant may have. */
export const PLAIN_IDS = words(`
  2147483647 2147483648 4294967295 4294967296 999999999999999 9007199254740991 9007199254740992 9007199254740993
  1000000000000000000 1234567890123456 12345678901234567 9223372036854775806 9223372036854775807
`);
export const ODD_IDS = words(`
  0 -1 -7 -2147483649 -9007199254740993 -9223372036854775807 -9223372036854775808
`);
export const LAST_ID = '9223372036854775805';

/** Texts of JSON that are no string. */
export const NO_STRINGS = words(`
  7 -1 7.5 1e400 123456789012345678901 true false null [] ["a"] {} {"a":"b"}
`);
/** Texts of JSON that are no int64. */
export const NO_INT64 = words(`
  "7" "" "a" 7.5 -0.5 1e-1 1e400 1.5e300 true false null [] [7] {} {"id":7} 9223372036854775808 -9223372036854775809
  18446744073709551616 18446744073709551623 12345678901234567890123
`);
/** Integers that are written in another way. */
export const ODD_INTEGERS = words('7.0 7e0 70e-1 1E2 0.7e1 10000000000000000000e-5');

export const NOT_JSON = [
  '',
  ' ',
  '// a\n{"name":"Aloe","id":7}',
  '{"name":"Al\noe","id":7}',
  ...lines(String.raw`
x
name=Aloe&id=7
{
}
{"name":"Aloe"
{"name":"Aloe","id":}
{'name':'Aloe','id':7}
{name:"Aloe",id:7}
{"name":"Aloe","id":7
{"name":"Aloe","id":7}}
{"name":"Aloe","id":7}x
{"name":"Aloe","id":7}{"name":"Aloe","id":8}
{"name":"Aloe","id":7,}
{"name":"Aloe" "id":7}
{"name":"Aloe","id":07}
{"name":"Aloe","id":+7}
{"name":"Aloe","id":0x7}
{"name":"Aloe","id":7.}
{"name":"Aloe","id":7 8}
{"name":"Aloe","id":NaN}
{"name":"Aloe","id":Infinity}
{"name":"Aloe","id":-Infinity}
{"name":"Al\xoe","id":7}
{"name":"Al\u00","id":7}
`),
];
export const NO_OBJECTS = words(
  'null true 7 0 "Aloe" "" [] [[]] [{"name":"Aloe","id":7}] [["name","Aloe"],["id",7]] {}',
);

/** What a field that the interface does not know may hold. */
export const UNKNOWN_VALUES = words(`
  1 1.5 0.12345678901234567 1.2345678901234567 "a" null true [] {} {"id":"x","name":7} [{"id":1}] 12345678901234567890 1e5
`);
export const UNKNOWN_KEYS = ['colour', 'ID', '__proto__', ''];

export const USUAL_FIELDS = lines(`
Accept: application/json
Accept: */*
Accept: text/html;q=0.9, application/json;q=0.8
User-Agent: probe/1.0 (like "a browser")
Origin: https://shop.example
Cookie: a=b; c="d"
traceparent: 00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01
X-Forwarded-For: 203.0.113.7, 10.0.0.1
Accept-Encoding: gzip, br
Accept-Language: de-CH, de;q=0.9
`).map((line) => line.split(/: (.*)/).slice(0, 2));

export const JSON_TYPES = lines(`
application/json; charset=utf-8
application/json;charset=UTF-8
application/json; charset="utf-8"
application/json ;charset=utf-8
application/json; version=1
Application/JSON
`);
export const OTHER_TYPES = lines(`
text/plain
text/json
application/xml
application/x-www-form-urlencoded
multipart/form-data; boundary=x
application/jsonp
application/jsonx
xapplication/json
application/json-patch+json
application/problem+json
application/json, text/plain
application/json;
application/json; charset=utf8
application/json; charset=utf-16
application/json; charset=latin1
image/png; application/json
; charset=utf-8
json
`);

/** Values of Authorization. `…` is the right token. */
export const WRONG_CREDENTIALS = [
  '',
  'Bearer ',
  ...lines(`
…
Bearer
Bear
Bearer…
Bearer: …
Bearer=…
Bearer,…
xBearer …
Bearerx …
Basic …
Token …
Basic Bearer …
Bearer …x
Bearer x…
Bearer … …
Bearer … x
Bearer x …
Bearer "…"
Bearer <…>
Bearer …,
Bearer …;
Bearer undefined
Bearer null
Bearer true
Bearer 0
Bearer a
Bearer *
Bearer .*
Basic YTpi
Digest a="b"
Negotiate x
`),
];
/** The scheme is written in another way. */
export const ODD_CREDENTIALS = lines(`
bearer …
BEARER …
Bearer  …
Bearer   …
bEARER  …
`);

export const OTHER_PATHS = words(`
  / /plant /plants/ /plants/7 /Plants /plants2 //plants /x?/plants /v1/plants /%70lants /plants%20 /x/../plants
`);
export const QUERIES = words('/plants?a=b /plants? /plants?name=Fern&id=1 /plants?x=/plants');
export const OTHER_METHODS = words('GET PUT DELETE PATCH OPTIONS HEAD');
export const SIZES = [90_000, 200_000, 1_000_000, 1_048_500, 1_100_000, 3_000_000];
