import { expect, test } from 'vitest'
import { readiness, readinessToJson } from './health.ts'

test('is ready when every check passes, also while payments are halted, and names the failing ones', () => {
  const ready = readinessToJson({ serving: true, database: true }, 'halted')
  const not = readinessToJson({ serving: true, database: false }, 'unknown')
  expect(ready).toEqual({ status: 'ready', checks: { serving: 'ok', database: 'ok' }, payments: 'halted' })
  expect(not).toEqual({ status: 'not_ready', checks: { serving: 'ok', database: 'failing' }, payments: 'unknown' })
  expect(readinessToJson({}, 'begin').payments).toBe('begin')
  for (const json of [ready, not]) expect(readiness.parse(json)).toEqual(json)
})
