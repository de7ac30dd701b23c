import { expect, test } from 'vitest'
import { health, readiness, readinessToJson } from './health.ts'

test('is ready when every check passes, and names the failing ones', () => {
  const ready = readinessToJson({ serving: true, database: true })
  const not = readinessToJson({ serving: true, database: false })
  expect(ready).toEqual({ status: 'ready', checks: { serving: 'ok', database: 'ok' } })
  expect(not).toEqual({ status: 'not_ready', checks: { serving: 'ok', database: 'failing' } })
  for (const json of [ready, not]) expect(readiness.parse(json)).toEqual(json)
  expect(health.safeParse({ status: 'ok' }).success).toBe(true)
})
