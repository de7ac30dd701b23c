import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from './forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

test('an entry of the audit log without readable prices hides no difference of another tenant', async () => {
  const unreadable = `update quipu.audit_log set after = after || '{"margin_bps": "none"}'
    where subject = '{A}' and action = 'tenant.create';`
  const found = await books.foundAfter(
    `${unreadable} update quipu.tenant set fee_fixed = fee_fixed + 1 where id = '{B}';`,
  )
  expect(found).toContain('B tenant B: the tenant is not what the audit log says')
  expect(found.some((each) => /A posting .* pricing gives/.test(each))).toBe(true)
})
