import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ForgedBooks, openForgedBooks } from '../test/forged-books.fixture.ts'

let books: ForgedBooks
beforeAll(async () => {
  books = await openForgedBooks()
})
afterAll(() => books.close())

/** The findings of the check of the audit log, each as "subject action". */
const foundAfter = (text: string, size?: number): Promise<readonly string[]> =>
  books.undone(async () => {
    await books.forge(text)
    await books.checkAuditLog(size)
    return (await books.found()).map((each) =>
      each.replace(/^.*: (.*) has no change for the audit entry (.*)$/, '$1 $2'),
    )
  })

test('nothing is found in a log that is right, in slices of every size', async () => {
  for (const size of [1, 7, 1000]) expect(await foundAfter('select', size)).toEqual([])
})

describe('an entry without its change is found', () => {
  const change = (table: string, label: string, set: string): string =>
    `update quipu.${table} set ${set} where id = '{${label} of A}'`
  const later = (column: string): string => `${column} = ${column} + interval '1 ms'`
  const credit = 'credited review of A deposit.credit by ana'
  const closed = 'closed review of A deposit.close by ana'
  const adjusted = 'A wallet.adjust by ana'
  const rotated = 'A top_up_address.rotate by ana'
  const difference = 'difference of A difference.close by ana'
  const issued = 'key of A api_key.issue by ada'
  const revoked = 'revoked key of A api_key.revoke by ana'
  const tenant = (set: string): string => `update quipu.tenant set ${set} where id = '{A}'`
  const address = (set: string): string => `update quipu.top_up_address set ${set} where tenant_id = '{A}'`
  test.each([
    ['a key', change('api_key', 'key', `id = 'other'`), issued],
    ['the instant of a key', change('api_key', 'key', later('activated_at')), issued],
    ['the instant of a revocation', change('api_key', 'revoked key', later('revoked_at')), revoked],
    ['the instant of a tenant', tenant(later('created_at')), 'A tenant.create by ana'],
    ['an adjustment', change('adjustment', 'late charge', `id = 'other'`), adjusted],
    ['the tenant of an adjustment', change('adjustment', 'late charge', `tenant_id = '{B}'`), adjusted],
    ['the operator of an adjustment', change('adjustment', 'late charge', `actor = 'omar'`), adjusted],
    ['the instant of an adjustment', change('adjustment', 'late charge', later('created_at')), adjusted],
    ['a credit', change('deposit', 'credited review', `id = 'other'`), credit],
    ['the instant of a credit', change('deposit', 'credited review', later('credited_at')), credit],
    ['a closed review', change('deposit', 'closed review', `id = 'other'`), closed],
    ['the instant of a closed review', change('deposit', 'closed review', later('closed_at')), closed],
    ['the operator of a closed review', change('deposit', 'closed review', `closed_by = 'omar'`), closed],
    ['the tenant of an address', address(`tenant_id = 'other'`), rotated],
    ['the instant of an address', address(later('retired_at')), rotated],
    ['a closed difference', change('difference', 'difference', `id = 'other'`), difference],
    ['the instant of a closed difference', change('difference', 'difference', later('closed_at')), difference],
    ['the operator of a closed difference', change('difference', 'difference', `closed_by = 'omar'`), difference],
  ])('%s', async (_, text, expected) => {
    expect(await foundAfter(text)).toEqual([expected])
  })

  test('a revoked key', async () => {
    const text = change('api_key', 'revoked key', `id = 'other'`)
    expect(await foundAfter(text)).toEqual([
      'revoked key of A api_key.issue by ada',
      'revoked key of A api_key.revoke by ana',
    ])
  })

  const changes = ['tenant.resume by ana', 'tenant.suspend by ana', 'tenant.update by ada']
  test('a tenant', async () => {
    const found = new Set(await foundAfter(tenant(`id = 'other'`)))
    expect(found).toEqual(new Set(['tenant.create by ana', ...changes].map((each) => `A ${each}`)))
  })

  test('the number of a tenant’s changes', async () => {
    const found = new Set(await foundAfter(tenant('revision = revision + 1')))
    expect(found).toEqual(new Set(changes.map((each) => `A ${each}`)))
  })
})

describe('a doubled entry is found', () => {
  const again = (label: string, values: string): string => `
    select quipu.write_audit(${values}) from quipu.audit_log a
    where a.subject = '{${label}}' and a.action = 'api_key.issue'`
  test('of the same change', async () => {
    const found = await foundAfter(
      again('key of A', 'row(a.actor, null, null, null, null), a.action, a.tenant_id, a.subject, a.at, null, a.after'),
    )
    expect(found).toEqual(['key of A api_key.issue by ada'])
  })

  test.each([
    [
      'of another key that was issued at the same instant',
      `insert into quipu.api_key select 'key_2', tenant_id, name, prefix, last_four, 'hash' || hash, scopes,
         created_at, activated_at from quipu.api_key where id = '{key of A}';
       ${again('key of A', `row(a.actor, null, null, null, null), a.action, a.tenant_id, 'key_2', a.at, null, a.after`)}`,
    ],
    [
      'of another action at the same instant',
      `update quipu.api_key set revoked_at = activated_at where id = '{key of A}';
       ${again('key of A', `row(a.actor, null, null, null, null), 'api_key.revoke', a.tenant_id, a.subject, a.at, null, a.after`)}`,
    ],
  ])('but not one %s', async (_, text) => {
    expect(await foundAfter(text)).toEqual([])
  })
})

test('a changed entry is found by its hash, and named for that', async () => {
  const found = await foundAfter(`update quipu.audit_log set actor = 'omar' where id = 5`)
  expect(found).toEqual([expect.stringMatching(/audit_log 5: the entry was changed or inserted/)])
})

const newest = '(select max(id) from quipu.audit_log)'
test.each([
  ['the last of a slice', '3', 3],
  ['the only one of a slice', '4', 1],
  ['the newest', newest, 3],
  ['the newest, in one slice', newest, 1000],
])('a changed entry stays found when it is %s', async (_, id, size) => {
  const text = `update quipu.audit_log set before = '{"x": 1}' where id = ${id}`
  const changed = expect.stringMatching(/audit_log \d+: the entry was changed/)
  expect(await foundAfter(text, size)).toEqual([changed])
})

describe('a slice continues where the one before ended', () => {
  const slice = async (id: number, hash: unknown, size: number) => {
    const [row] = await books.sql('select * from quipu.check_audit_log($1, $2, $3)', [id, hash, size])
    return row
  }
  const hashOf = async (id: number) =>
    (await books.sql('select hash from quipu.audit_log where id = $1', [id]))[0]?.['hash']

  test('with the id and hash of its last entry', async () => {
    const first = await slice(0, Buffer.alloc(32), 3)
    expect(first).toEqual({ last_id: '3', last_hash: await hashOf(3) })
    expect(await slice(3, await hashOf(3), 1)).toEqual({ last_id: '4', last_hash: await hashOf(4) })
  })

  test('and compares that entry, also the first of all, with the hash it had', async () => {
    const found = await books.undone(async () => {
      await slice(1, Buffer.alloc(32), 3)
      return books.found()
    })
    expect(found).toContainEqual(expect.stringMatching(/audit_log 1: the entry has another hash than it had/))
  })

  test('and ends after the last entry', async () => {
    const [last] = await books.sql('select id, hash from quipu.audit_log order by id desc limit 1')
    expect(await slice(Number(last?.['id']), last?.['hash'], 3)).toEqual({ last_id: null, last_hash: null })
  })

  test('and a missing entry does not stop it', async () => {
    const found = await foundAfter('delete from quipu.audit_log where id in (3, 5)', 3)
    expect(found).toEqual([
      expect.stringMatching(/audit_log 3: the entry is missing/),
      expect.stringMatching(/audit_log 5: the entry is missing/),
    ])
  })
})
