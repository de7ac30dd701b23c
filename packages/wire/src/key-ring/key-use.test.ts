import { expect, test } from 'vitest'
import { keysToJson, keyUse } from './key-use.ts'

test('lists the keys of the setting, the current one first, then those that it lacks', () => {
  const uses = [
    { keyId: 'gone', count: 3 },
    { keyId: 'old', count: 5 },
  ]
  const json = keysToJson(['new', 'old'], uses)
  expect(json).toEqual([
    { id: 'new', values: 0, current: true, configured: true },
    { id: 'old', values: 5, current: false, configured: true },
    { id: 'gone', values: 3, current: false, configured: false },
  ])
  const all = { webhook_secrets: json, address_macs: json }
  expect(keyUse.parse(all)).toEqual(all)
})

test('a setting that is not there is null', () => {
  const none = { webhook_secrets: null, address_macs: null }
  expect(keyUse.parse(none)).toEqual(none)
  expect(keyUse.safeParse({}).success).toBe(false)
})
