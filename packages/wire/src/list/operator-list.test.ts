import { expect, test } from 'vitest'
import { cursorScope } from './cursor.ts'
import { pageLimit } from './list.ts'
import { parseOperatorList } from './operator-list.ts'

const tenantId = 'ten_01K6HZ8M00000000000000000A'

test('cursors are bound to the list and to what its path filters by', () => {
  const filters = { tenant: tenantId }
  expect(parseOperatorList('api_keys', '', filters)).toEqual({
    ok: true,
    value: { query: { limit: pageLimit.default }, scope: cursorScope('api_keys', 'operator', filters) },
  })
  expect(parseOperatorList('api_keys', '')).toMatchObject({ value: { scope: cursorScope('api_keys', 'operator') } })
})
