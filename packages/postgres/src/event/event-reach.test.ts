import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { scannedMax } from '../page.ts'
import { rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { eventStatements } from './event-store.ts'

// How many rows a page reads to find a few events among very many of the same tenant.

const crowd = 20_000
const few = 20

const harness = useStoreHarness()
const sql = useStoreSession(harness)

/** Adds ends of payouts to the tenant's log, one a millisecond. */
const ends = (status: 'completed' | 'failed' | 'cancelled'): string => `
  with log as (select seq, logged_at from quipu.wallet where tenant_id = $1),
  moved as (
    update quipu.wallet set seq = seq + $2, logged_at = greatest(logged_at, date_trunc('milliseconds', now()))
      + make_interval(secs => $2 / 1000.0)
    where tenant_id = $1 returning old.seq, greatest(old.logged_at, date_trunc('milliseconds', now())) as logged_at
  )
  insert into quipu.payout_end (seq, ended_at, amount, available_after, held_after, fencing_token,
    event_id, tenant_id, payout_id, status, error_code, error_message, body)
  select m.seq + n, m.logged_at + make_interval(secs => n / 1000.0), 1, 0, 0, 1,
    quipu.uuid_at(uuidv7(), m.logged_at + make_interval(secs => n / 1000.0)), $1,
    'po_' || uuidv7(), '${status}', ${errors[status]}, '{}'
  from moved m, generate_series(1, $2::int) n`

const errors = { completed: 'null, null', failed: `'PAYMENT_FAILED', 'Why.'`, cancelled: `'PAYMENT_CANCELLED', 'Why.'` }

const deposits = `
  with moved as (
    update quipu.wallet set seq = seq + $2, logged_at = greatest(logged_at, date_trunc('milliseconds', now()))
      + make_interval(secs => $2 / 1000.0)
    where tenant_id = $1 returning old.seq, greatest(old.logged_at, date_trunc('milliseconds', now())) as logged_at
  )
  insert into quipu.funding_entry (seq, logged_at, occurred_at, tenant_id, type, subject_id, event_id, body)
  select m.seq + n, m.logged_at + make_interval(secs => n / 1000.0), m.logged_at, $1, 'deposit.pending', 'dep_' || uuidv7(),
    quipu.uuid_at(uuidv7(), m.logged_at + make_interval(secs => n / 1000.0)), '{}'
  from moved m, generate_series(1, $2::int) n`

const noId = '00000000-0000-0000-0000-000000000000'
const pageSize = 51
const everything = ['infinity', noId, '-infinity', 'infinity', pageSize]
const textOf = (name: string): string => eventStatements.find((statement) => statement.name === name)?.text ?? ''

/** A page, and how many rows it read. */
async function listing(name: string, tenantId: string, type?: string) {
  let listed: readonly Record<string, unknown>[] = []
  const rows = await rowsReadBy(sql, '^(payout_end|funding_entry)', async () => {
    listed = await sql(textOf(name), [tenantId, ...everything, ...(type ? [type] : [])])
  })
  return { listed, rows }
}

test.each([
  ['failed', 'completed'],
  ['cancelled', 'completed'],
  ['failed', 'cancelled'],
] as const)('few payout.%s among many payout.%s are listed alone', async (status, other) => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(ends(status), [tenantId, few])
  await sql(ends(other), [tenantId, crowd])

  const { listed, rows } = await listing('event.list_exceptions', tenantId, `payout.${status}`)

  expect(listed).toHaveLength(few)
  expect(rows).toBeLessThan(3 * few)
})

test('few deposit.pending among many payout.completed are listed without reading those', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(deposits, [tenantId, few])
  await sql(ends('completed'), [tenantId, crowd])

  const { listed, rows } = await listing('event.list_funding', tenantId, 'deposit.pending')

  expect(listed).toHaveLength(few)
  expect(rows).toBeLessThan(3 * few)
})

test('few payout.completed among many payout.cancelled are all found, and each page reads at most its bound', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(ends('completed'), [tenantId, few])
  await sql(ends('cancelled'), [tenantId, crowd])

  const { rows } = await listing('event.list_completed', tenantId)
  expect(rows).toBeLessThan(3 * scannedMax)
  const query = { type: 'payout.completed', limit: 50 } as const
  const ids = new Set<string>()
  let pages = 0
  for (let page = await harness.stores.events.list(tenantId, query); ; pages++) {
    for (const { id } of page.items) ids.add(id)
    if (page.next === null) break
    page = await harness.stores.events.list(tenantId, { ...query, after: page.next })
  }
  expect(ids.size).toBe(few)
  expect(pages).toBe(crowd / scannedMax)
})

test('a page of all types reads at most a page of each type', async () => {
  const tenantId = await harness.newWallet(usdt(0n))
  await sql(ends('completed'), [tenantId, crowd])
  await sql(deposits, [tenantId, crowd])

  const { listed, rows } = await listing('event.list', tenantId)

  expect(listed).toHaveLength(pageSize)
  expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(['deposit.pending']))
  expect(rows).toBeLessThan(5 * pageSize)
})
