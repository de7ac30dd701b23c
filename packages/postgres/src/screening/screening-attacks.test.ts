import { usdt } from '@quipu/core'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { useStoreHarness } from '../test/stores.fixture.ts'

const harness = useStoreHarness()
let thief: pg.Client
let tenant: string
beforeAll(async () => {
  tenant = await harness.newWallet(usdt(7n))
  thief = new pg.Client(harness.stores.processUrl)
  await thief.connect()
})
afterAll(() => thief.end())

const hit = (kind: string, subject: string, name = 'Ana') =>
  thief.query<{ case_id: string }>(
    `select case_id from quipu.hit_screening($1, $2, 'listed', $3, $4, $5, 'own', '1', 'fraud', null, 1, null)`,
    [harness.ids.next('scr', new Date()), kind, subject, name, tenant],
  )

test('a case’s texts are cut, so that one call stores no megabyte', async () => {
  const { rows } = await hit('merchant', 'x'.repeat(100_000), 'y'.repeat(100_000))
  const [stored] = await harness.sql(
    `select length(subject) as subject, length(name) as name from quipu.screening_case where id = '${rows[0]?.case_id}'`,
  )
  expect(stored).toEqual({ subject: 200, name: 300 })
})

test('a listed tenant is suspended by a hit, and nobody is by a case of another kind', async () => {
  const status = async () =>
    (await harness.sql(`select status from quipu.tenant where id = '${tenant}'`))[0]?.['status']
  await hit('merchant', tenant)
  expect(await status()).toBe('active')
  await hit('tenant', tenant)
  expect(await status()).toBe('suspended')
})

test('one approval does not credit a deposit whose sender is listed, whatever the process says of the limit', async () => {
  const alone = `insert into quipu.proposal (id, tenant_id, action, subject, details, reason, proposed_by, proposed_with,
    created_at, expires_at, status, approved_at)
    values ('prp_1', '${tenant}', 'credit_deposit', 'dep_1', '{"amount_minor": "1", "review_code": "SENDER_LISTED"}', 'x', 'ana',
      'opt', now(), now() + interval '1 hour', 'approved', now())`
  await expect(harness.sql(alone)).rejects.toThrow('one_person_suffices')
})
