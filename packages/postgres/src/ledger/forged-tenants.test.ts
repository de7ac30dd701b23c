import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

describe('a tenant or key that differs from the audit log is found', () => {
  const key = (label: string, set: string): string => `update quipu.api_key set ${set} where id = '{${label}}';`
  const audited = (label: string, where: string, set: string): string =>
    `update quipu.audit_log set ${set} where subject = '{${label}}' and ${where};`
  const tenant = (label: string): string => `update quipu.tenant set fee_fixed = fee_fixed + 1 where id = '{${label}}';`
  const changed = (label: string): string => `${label} tenant ${label}: the tenant is not what the audit log says`
  test.each([
    [
      'keys without an entry, each of its own tenant',
      key('key of A', `id = 'key_a'`) + key('key of B', `id = 'key_b'`),
      [
        'A tenant key_a: the key has no entry in the audit log',
        'B tenant key_b: the key has no entry in the audit log',
      ],
    ],
    [
      'a key whose entry has another action',
      audited('revoked key of A', `action = 'api_key.issue'`, `action = 'api_key.other'`),
      ['A tenant revoked key of A: the key has no entry in the audit log'],
    ],
    [
      'a key with other scopes',
      key('key of A', `scopes = '{payouts:write}'`),
      ['A tenant key of A: the key has other scopes than it was issued with'],
    ],
    [
      'an undone revocation',
      key('revoked key of A', 'revoked_at = null'),
      ['A tenant revoked key of A: the key was revoked and is not'],
    ],
    ['tenants, each with its own wallet', tenant('A') + tenant('B'), [changed('A'), changed('B')]],
    ['a daily limit', `update quipu.wallet set daily_limit_count = 7 where tenant_id = '{A}'`, [changed('A')]],
  ])('%s', async (_, text, expected) => {
    expect(await books.foundAfter(text)).toEqual(expected)
  })

  test('a tenant without an entry', async () => {
    const text = audited('A', `action like 'tenant.%'`, `action = 'other'`)
    expect(await books.foundAfter(text)).toContain(changed('A'))
  })

  test('but a key that is not active yet has no entry', async () => {
    expect(await books.foundAfter(key('key of A', `id = 'key_a', activated_at = null`))).toEqual([])
  })

  test('and is gone when it is right again', async () => {
    const found = await books.undone(async () => {
      await books.forge(tenant('A') + key('key of A', `scopes = '{payouts:write}'`))
      await books.checkLedger()
      await books.forge(`update quipu.tenant set fee_fixed = fee_fixed - 1 where id = '{A}'`)
      await books.checkLedger()
      return books.found()
    })
    expect(found).toEqual(['A tenant key of A: the key has other scopes than it was issued with'])
  })

  test('and stays one difference while other tenants are checked', async () => {
    await books.undone(async () => {
      await books.forge(tenant('A') + tenant('B'))
      for (let n = 0; n < 3; n++) await books.checkLedger()
      const rows = await books.sql(`select status from quipu.difference where kind = 'tenant'`)
      expect(rows).toEqual([{ status: 'open' }, { status: 'open' }])
    })
  })
})
