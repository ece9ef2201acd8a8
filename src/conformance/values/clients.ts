import { fieldsIn, type HeaderFields } from '../rule.js';

/** Who sends a request, and the header fields that they write, in their order and spelling. */
export interface Sender {
  readonly who: string;
  readonly fields: HeaderFields;
}

/** The first line says who it is, and the others are the header fields. */
function sender(text: string): Sender {
  const end = text.indexOf('\n');
  return { who: text.slice(0, end), fields: fieldsIn(text.slice(end + 1)) };
}

/**
 * What clients and libraries send by themselves, in a version of 2024. The transport adds Host, Content-Length and Connection,
 * in lower case if all these are. No `zstd`: Node cannot decode it in every version.
 */
export const CLIENTS = {
  chrome: sender(`a script in Chrome
    sec-ch-ua-platform: "Linux"
    Authorization: Bearer <TOKEN>
    User-Agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36
    sec-ch-ua: "Chromium";v="131", "Not_A Brand";v="24"
    DNT: 1
    Content-Type: application/json
    sec-ch-ua-mobile: ?0
    Accept: */*
    Sec-GPC: 1
    Cache-Control: no-cache
    Pragma: no-cache
    Accept-Encoding: gzip, deflate, br
    Accept-Language: de-CH,de;q=0.9,en;q=0.8,*;q=0.5
    Cookie: theme=dark; _ga=GA1.1.1234567890.1234567890; consent={all:true}
    Priority: u=1, i`),
  fetch: sender(`fetch in Node
    authorization: Bearer <TOKEN>
    content-type: application/json
    accept: */*
    accept-language: *
    sec-fetch-mode: cors
    user-agent: node
    accept-encoding: gzip, deflate`),
  curl: sender(`curl
    User-Agent: curl/8.5.0
    Accept: */*
    Authorization: Bearer <TOKEN>
    Content-Type: application/json`),
  go: sender(`net/http in Go
    User-Agent: Go-http-client/1.1
    Authorization: Bearer <TOKEN>
    Content-Type: application/json
    Accept-Encoding: gzip`),
  ruby: sender(`Net::HTTP in Ruby
    Content-Type: application/json
    Authorization: Bearer <TOKEN>
    Accept-Encoding: gzip;q=1.0,deflate;q=0.6,identity;q=0.3
    Accept: */*
    User-Agent: Ruby`),
} as const satisfies Record<string, Sender>;

/** What proxies and gateways add. A provider behind one gets it with every request. */
export const GATEWAYS = {
  aws: sender(`a load balancer of AWS
    X-Forwarded-For: 203.0.113.7
    X-Forwarded-Proto: https
    X-Forwarded-Port: 443
    X-Amzn-Trace-Id: Root=1-67891233-<HEX 24>;Self=1-67891233-<HEX 24>`),
  envoy: sender(`Envoy in Istio
    x-forwarded-for: 10.4.0.17
    x-forwarded-proto: https
    x-request-id: <HEX 8>-<HEX 4>-4<HEX 3>-a<HEX 3>-<HEX 12>
    x-envoy-attempt-count: 1
    x-envoy-internal: true
    x-forwarded-client-cert: By=spiffe://cluster.local/ns/shop/sa/plants;Hash=468ed33be74eee6556d90c0149c1309e9ba61d6425303443c0748a02dd8de688;Subject="";URI=spiffe://cluster.local/ns/shop/sa/web
    x-b3-traceid: <HEX 32>
    x-b3-spanid: <HEX 16>
    x-b3-parentspanid: <HEX 16>
    x-b3-sampled: 1`),
} as const satisfies Record<string, Sender>;

/** What agents and gateways add on a long way, with new numbers for each request. It says nothing about where a request comes from: a provider may have a policy for that. */
export const ON_THE_WAY: HeaderFields = fieldsIn(
  `traceparent: 00-<HEX 32>-<HEX 16>-01
   tracestate: congo=t61rcWkgMzE,rojo=<HEX 16>
   baggage: userId=alice,serverNode=DF%2028,isProduction=false;ttl=1
   uber-trace-id: <HEX 32>:<HEX 16>:0:1
   X-Correlation-Id: <HEX 8>-<HEX 4>-4<HEX 3>-a<HEX 3>-<HEX 12>
   X-B3-TraceId: <HEX 32>
   X-B3-SpanId: <HEX 16>
   X-B3-ParentSpanId: <HEX 16>
   X-B3-Sampled: 1
   X-Amzn-Trace-Id: Root=1-67891233-<HEX 24>;Self=1-67891233-<HEX 24>
   X-Request-ID: <HEX 32>
   x-envoy-attempt-count: 1
   x-envoy-internal: true
   CF-RAY: <HEX 16>-ZRH
   CF-IPCountry: CH
   CF-Visitor: {"scheme":"https"}
   CDN-Loop: cloudflare; loops=1
   X-Scheme: https
   Via: 1.1 gateway.example, 1.0 fred`,
);

/** Cookies as pages collect them: 2 kB, far below the limit of every browser and of nearly every server. */
export const LONG_COOKIES: HeaderFields = fieldsIn(
  'Cookie: _ga=GA1.1.1234567890.1234567890; consent=<REPEAT 500 eyJ>; session_state=<REPEAT 12 0123456789ABCDEF>; empty=',
);
