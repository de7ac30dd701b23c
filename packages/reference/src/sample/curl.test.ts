import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curl } from './curl.ts'
import type { SampleRequest } from './sample-request.ts'

const request: SampleRequest = {
  operationId: 'change',
  method: 'PATCH',
  base: 'http://here',
  path: '/v1/things/{id}',
  pathValues: [['id', 'th_1']],
  query: [],
  headers: [['Idempotency-Key', "Ana's $HOME"]],
  body: JSON.stringify({ name: `"it's" \`id\`` }),
  credential: { header: 'X-API-Key', prefix: '', variable: 'KEY', shownKey: undefined },
}

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `KEY=k; curl() { printf '%s\\0' "$@"; }\n${command}`])
    .toString()
    .split('\0')
    .slice(0, -1)

test('a shell parses the command to the intended arguments', () => {
  expect(argumentsOf(curl(request))).toEqual([
    '-X',
    'PATCH',
    'http://here/v1/things/th_1',
    '-H',
    'X-API-Key: k',
    '-H',
    "Idempotency-Key: Ana's $HOME",
    '-H',
    'Content-Type: application/json',
    '-d',
    JSON.stringify({ name: `"it's" \`id\`` }, null, 2),
  ])
})

test('a bearer token stands behind its prefix; a key that opens nothing is shown', () => {
  const read = { ...request, method: 'GET', headers: [], body: '' }
  const bearer = { header: 'Authorization', prefix: 'Bearer ', variable: 'KEY' }
  const shell = curl({ ...read, credential: { ...bearer, shownKey: undefined } })
  expect(argumentsOf(shell).slice(1)).toEqual(['-H', 'Authorization: Bearer k'])
  expect(curl({ ...read, credential: { ...bearer, shownKey: 'free' } })).toContain('Bearer free')
})

test('a GET without a key is its URL alone, with its query', () => {
  const health = { ...request, method: 'GET', path: '/healthz', pathValues: [], headers: [], body: '' }
  expect(curl({ ...health, credential: undefined, query: [['from', 'a&b']] })).toBe(
    'curl "http://here/healthz?from=a%26b"',
  )
})
