import type { FuzzedRequest } from './fuzzed-request.ts'

/** A change that makes a request hostile. Its name is printed when an answer is wrong. */
export type Hostility = { readonly name: string; readonly change: (request: FuzzedRequest) => FuzzedRequest }

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

const body = (name: string, make: (body: string) => string | Uint8Array): Hostility => ({
  name: `body: ${name}`,
  change: (request) => ({
    ...request,
    headers: { 'Content-Type': 'application/json', ...request.headers },
    body: make(typeof request.body === 'string' ? request.body : '{}'),
    isBodyInvalid: false, // Of bytes that are no JSON the schema says nothing.
  }),
})

const header = (name: string, value: string): Hostility => ({
  name: `header: ${name}: ${value.slice(0, 40)}`,
  change: (request) => ({ ...request, headers: { ...request.headers, [name]: value } }),
})

const target = (name: string, make: (target: string) => string): Hostility => ({
  name: `target: ${name}`,
  change: (request) => ({ ...request, target: make(request.target), isRouted: false }),
})

const method = (name: string): Hostility => ({
  name: `method: ${name}`,
  change: (request) => ({ ...request, method: name, isRouted: false }),
})

const query = (text: string): Hostility =>
  target(`query ${text.slice(0, 20)}`, (at) => `${at}${at.includes('?') ? '&' : '?'}${text}`)

/** Changes of a request that no client makes by accident. */
export const hostilities: readonly Hostility[] = [
  body('truncated', (json) => json.slice(0, -1)),
  body('empty', () => ''),
  body('two values', (json) => `${json}${json}`),
  body('a doubled member', (json) => json.replace('{', '{"quote_id":"x","amount":"1",')),
  body('a prototype', (json) => json.replace('{', '{"__proto__":{"type":"qr"},')),
  body('nested 5,000 deep', () => '['.repeat(5_000) + ']'.repeat(5_000)),
  body('a number beyond doubles', () => '{"amount":1e999,"limit":9007199254740993}'),
  body('200 kB', (json) => json.replace('{', `{"description":"${'x'.repeat(200_000)}",`)),
  body('20,000 members', () => `{${Array.from({ length: 9_000 }, (_, i) => `"m${i}":1`).join()}}`),
  body('a byte order mark', (json) => `\uFEFF${json}`),
  body('no UTF-8', (json) => Uint8Array.from([...bytes(json.slice(0, -1)), 0x22, 0xff, 0xc3])),
  body('UTF-16', (json) => Uint8Array.from([...bytes(json)].flatMap((byte) => [byte, 0]))),
  body('escaped surrogates', (json) => json.replace('{', String.raw`{"\ud800":"\udfff",`)),
  body('NUL', (json) => json.replace('{', String.raw`{"\u0000":"\u0000",`)),
  header('Content-Type', 'text/plain'),
  header('Content-Type', 'application/json; charset=utf-16'),
  header('Content-Type', 'application/json; charset=utf-8; charset=latin1'),
  header('Content-Type', 'application/x-www-form-urlencoded'),
  header('Content-Type', `application/${'x'.repeat(2_000)}`),
  header('Content-Encoding', 'gzip'),
  header('Accept', 'text/csv'),
  header('Accept', '*/*;q=nonsense, text/html'),
  header('X-Request-Id', 'x'.repeat(4_000)),
  header('X-Request-Id', '"><script>{{7*7}}'),
  header('Idempotency-Key', 'k'.repeat(4_000)),
  header('X-HTTP-Method-Override', 'DELETE'),
  header('X-Forwarded-For', '127.0.0.1, unknown, [::1]:x'),
  header('Traceparent', '00-ffffffffffffffffffffffffffffffff-ffffffffffffffff-zz'),
  header('If-None-Match', '*'),
  header('Range', 'bytes=0-0'),
  target('a trailing slash', (at) => `${at}/`),
  target('doubled slashes', (at) => at.replaceAll('/', '//')),
  target('a NUL', (at) => `${at}%00`),
  target('no UTF-8', (at) => `${at}%ff%fe`),
  target('a broken escape', (at) => `${at}%`),
  target('an escaped parent', (at) => `${at}/..%2f..%2foperator/v1/tenants`),
  target('a parent', (at) => `${at}/../../operator/v1/tenants`),
  target('capitals', (at) => at.toUpperCase()),
  target('3,000 characters', (at) => `${at}${'a'.repeat(3_000)}`),
  target('a matrix parameter', (at) => `${at};admin=true`),
  query('__proto__[admin]=1&constructor=1'),
  query('limit=1&limit=2'),
  query('limit[]=1&cursor[a]=b'),
  query('cursor=%00%f0%9f'),
  query(`from=${'9'.repeat(400)}`),
  query('&&&=&=='),
  ...['HEAD', 'OPTIONS', 'TRACE', 'PUT', 'PATCH', 'DELETE', 'PROPFIND'].map(method),
]
