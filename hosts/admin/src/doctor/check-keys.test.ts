import type { KeyRing } from '@quipu/core'
import { expect, test } from 'vitest'
import { keyFinding } from './check-keys.ts'

const ring = (...ids: [string, ...string[]]): KeyRing =>
  ids.map((id) => ({ id, key: new Uint8Array(32) })) as unknown as KeyRing
const setting = ['WEBHOOK_SECRET_KEY', 'signing secrets'] as const

test.each([
  ['all values by the current key', ring('1'), { 1: 3 }, 'ok', /key 1 has made all 3/],
  ['no value yet', ring('1'), {}, 'ok', /no signing secrets yet/],
  ['neither key nor value', undefined, {}, 'ok', /not set; there are no signing secrets/],
  ['a rotation under way', ring('2', '1'), { 1: 3, 2: 1 }, 'warn', /key 1 has made 3 of 4/],
  ['a rotation that is done', ring('2', '1'), { 2: 4 }, 'ok', /key 2 has made all 4/],
  ['a key that was deleted too early', ring('2'), { 1: 3, 2: 1 }, 'fail', /lacks key 1, which/],
  ['values without any key', undefined, { 1: 3 }, 'fail', /lacks key 1, which has made 3 of 3/],
] as const)('%s', (_, keys, counts, status, detail) => {
  const uses = Object.entries(counts).map(([keyId, count]) => ({ keyId, count }))
  const finding = keyFinding(setting, keys, uses)
  expect(finding.status).toBe(status)
  expect(finding.detail).toMatch(detail)
  expect(finding.mend === null).toBe(status === 'ok')
})
