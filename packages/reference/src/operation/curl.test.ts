import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { curl } from './curl.ts'
import type { Operation, Parameter } from '../document/open-api.ts'

const operation = { operationId: 'pay', tags: [], summary: '', responses: {} } satisfies Operation
const header: Parameter = { in: 'header', name: 'Idempotency-Key', schema: {} }
const id: Parameter = { in: 'path', name: 'id', schema: {} }

/** The arguments that a shell passes to curl. */
const argumentsOf = (command: string): string[] =>
  execFileSync('sh', ['-c', `BASE=http://here KEY=k; curl() { printf '%s\\n' "$@"; }\n${command}`])
    .toString()
    .trimEnd()
    .split('\n')

test('a shell parses the command to the intended arguments', () => {
  const command = curl({
    endpoint: { method: 'PATCH', path: '/v1/things/{id}', operation },
    credential: { label: 'Key', header: 'X-API-Key', prefix: '' },
    given: [
      { parameter: id, example: 'th_1' },
      { parameter: header, example: "Ana's $HOME" },
    ],
    body: { name: `"it's" \`id\`` },
  })
  expect(argumentsOf(command)).toEqual([
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
    JSON.stringify({ name: `"it's" \`id\`` }),
  ])
})

test('a bearer token stands behind its prefix', () => {
  const command = curl({
    endpoint: { method: 'GET', path: '/v1/things', operation },
    credential: { label: 'Token', header: 'Authorization', prefix: 'Bearer ' },
    given: [],
  })
  expect(argumentsOf(`TOKEN=t; ${command}`)).toEqual([
    'http://here/v1/things',
    '-H',
    'Authorization: Bearer t',
  ])
})

test('a GET without a key is its URL alone', () => {
  const endpoint = { method: 'GET', path: '/healthz', operation }
  expect(curl({ endpoint, credential: undefined, given: [] })).toBe('curl "$BASE/healthz"')
})
