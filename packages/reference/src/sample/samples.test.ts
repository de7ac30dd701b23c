import { readFileSync } from 'node:fs'
import { operatorOpenApi, publicOpenApi } from '@quipu/wire'
import { expect, test } from 'vitest'
import { clientSamples } from '../client-samples.fixture.ts'
import { contextOf } from '../document/context.ts'
import { endpointsOf, type OpenApi } from '../document/open-api.ts'
import { sampleOf } from '../operation/sample.ts'
import { clientCalls } from './client-calls.ts'
import { python } from './python.ts'
import type { SampleRequest } from './sample-request.ts'
import { clientExpression, typescript } from './typescript.ts'

/** The requests of a document, with every member of the query that a sample can have. */
function requestsOf(document: unknown): SampleRequest[] {
  const context = contextOf(JSON.parse(JSON.stringify(document)) as OpenApi)
  return endpointsOf(context.document.paths).map((endpoint) => {
    const takesLimit = endpoint.operation.parameters?.some(({ name }) => name === 'limit')
    const sample = sampleOf(endpoint, context)
    return takesLimit ? { ...sample, query: [['limit', '5']] } : sample
  })
}

const requests = requestsOf(publicOpenApi())

test('the client has a method for every operation of the public API', () => {
  const operations = requests.map(({ operationId }) => operationId)
  expect(Object.keys(clientCalls).toSorted()).toEqual(operations.toSorted())
})

test('the compiler checks every call of the client, in client-samples.fixture.ts', () => {
  const file = readFileSync(new URL('../client-samples.fixture.ts', import.meta.url), 'utf8')
  // The formatter breaks lines elsewhere.
  const bare = (text: string): string => text.replaceAll(/[\s,]/g, '')
  const calls = requests.map(
    (request) => `${request.operationId}: (client: Quipu): unknown => ${clientExpression(request)},`,
  )
  const missing = calls.filter((call) => !bare(file).includes(bare(call)))
  expect(missing).toEqual([])
  expect(Object.keys(clientSamples)).toHaveLength(calls.length)
})

test('operations that the client does not have are shown with fetch', () => {
  for (const request of requestsOf(operatorOpenApi()))
    if (request.credential) expect(typescript(request)).toContain('await fetch(')
})

const payment: SampleRequest = {
  operationId: 'createPayout',
  method: 'POST',
  base: 'http://here',
  path: '/v1/payouts',
  pathValues: [],
  query: [],
  headers: [],
  body: JSON.stringify({ qr: { content: `it's "1"` }, events: null, tags: ['a'], is: true }),
  credential: { header: 'X-API-Key', prefix: '', variable: 'QUIPU_API_KEY', shownKey: undefined },
}

test('TypeScript has the body over lines and the key from the environment', () => {
  expect(typescript(payment)).toBe(
    [
      `import { env } from 'node:process'`,
      `import { quipu } from '@quipu/client'`,
      ``,
      `const client = quipu({`,
      `  baseUrl: 'http://here',`,
      `  apiKey: env['QUIPU_API_KEY'] ?? '',`,
      `})`,
      `console.log(await client.payouts.create({`,
      `  qr: {`,
      `    content: 'it\\'s "1"',`,
      `  },`,
      `  events: null,`,
      `  tags: [`,
      `    'a',`,
      `  ],`,
      `  is: true,`,
      `}))`,
    ].join('\n'),
  )
})

test('Python has its own names of values', () => {
  const written = python(payment)
  expect(written).toMatch(/^import json, os, urllib\.request\n/)
  expect(written).toContain(
    [
      `    "http://here/v1/payouts",`,
      `    method="POST",`,
      `    headers={`,
      `        "X-API-Key": os.environ["QUIPU_API_KEY"],`,
      `        "Content-Type": "application/json",`,
      `    },`,
      `    data=json.dumps({`,
      `        "qr": {`,
      `            "content": "it's \\"1\\"",`,
      `        },`,
      `        "events": None,`,
      `        "tags": [`,
      `            "a",`,
      `        ],`,
      `        "is": True,`,
      `    }).encode(),`,
    ].join('\n'),
  )
})
