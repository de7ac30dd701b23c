import { operatorOpenApi } from '@quipu/wire'
import { expect, test } from 'vitest'
import type { ConsoleSystem } from './console.fixture.ts'

/** Operations that no page calls, and what shows the same. */
const elsewhere: Readonly<Record<string, string>> = {
  'GET /operator/v1/quotes/{id}': 'the page of a payout has its quote',
  'POST /operator/v1/alerts/test': 'quipu-admin alerts test',
  'GET /operator/v1/alerts': 'quipu-admin alerts list; the overview has what lasts',
  'GET /operator/v1/alerts/digest': 'quipu-admin alerts digest; the overview has its parts',
  'POST /operator/v1/treasury': 'quipu-admin treasury record',
  'POST /operator/v1/treasury/{id}/reverse': 'quipu-admin treasury reverse',
  'GET /operator/v1/me': 'the session’s own answer has person and role',
  'GET /metrics': 'for Prometheus',
  'GET /healthz': 'for probes',
  'GET /readyz': 'for probes',
}

const methods = ['get', 'post', 'put', 'patch', 'delete']

const operations = Object.entries(operatorOpenApi().paths ?? {}).flatMap(([path, item]) =>
  methods.filter((method) => Object.hasOwn(item ?? {}, method)).map((method) => `${method.toUpperCase()} ${path}`),
)

/** Whether the tests above, which do everything that a person can do, have called the whole operator API. */
export function operationTests(system: () => ConsoleSystem): void {
  test('every operation is called by a page, or named above', { tags: 'long' }, () => {
    const calls = Object.values(system().sites).flatMap((site) => [...site.calls])
    const isCalled = (operation: string): boolean => {
      const escaped = operation.replaceAll(/[.]/g, String.raw`\.`)
      const pattern = new RegExp(`^${escaped.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
      return calls.some((call) => pattern.test(call))
    }
    expect(operations.filter((operation) => isCalled(operation) === operation in elsewhere)).toEqual([])
  })

  test('every operation that no page calls is one of the API', () => {
    expect(Object.keys(elsewhere).filter((each) => !operations.includes(each))).toEqual([])
  })
}
