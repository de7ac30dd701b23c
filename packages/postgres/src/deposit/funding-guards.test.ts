import { usdt } from '@quipu/core'
import type { PendingDeposit } from '@quipu/core/adapter'
import {
  accountOf,
  asRecorded,
  buildersOfAnotherTenant,
  type DepositBuilders,
  depositBuilders,
  eventsAbout,
  newSend,
  settleDepositCommit,
} from '@quipu/contracts'
import { beforeEach, afterEach, describe, expect, test } from 'vitest'
import { type StoreHarness, openStoreHarness } from '../test/stores.fixture.ts'

let harness: StoreHarness
let deposits: DepositBuilders
let sql: StoreHarness['sql']
beforeEach(async () => {
  harness = await openStoreHarness()
  sql = harness.sql
  deposits = await depositBuilders(harness.world)
})
afterEach(() => harness.close())

/** Expects that the database refuses a statement, although a superuser runs it. */
const refused = (text: string, error: RegExp) => expect(sql(text)).rejects.toThrow(error)
const onDeposit = ({ id }: { readonly id: string }, change: string): string =>
  `update quipu.deposit set ${change} where id = '${id}'`

describe('a deposit', () => {
  test('never changes its transfer, and is never deleted', async () => {
    const [deposit] = (await deposits.pending()) as [PendingDeposit]
    for (const change of [
      `tx_hash = 'another'`,
      'transfer_index = 7',
      `created_at = now()`,
      `expires_at = now()`,
      'first_block = 1',
    ])
      await refused(onDeposit(deposit, change), /can change only in/)
    await refused('delete from quipu.deposit', /can change only in/)
    await refused('truncate quipu.deposit cascade', /append-only/)
  })

  test('is credited with the amount of its row, whatever the event of the write says', async () => {
    await deposits.due({ value: 5_000_000n })
    const write = settleDepositCommit(harness, await deposits.claimOne())
    const deposit = { ...write.step.deposit, amount: usdt(5_000_001n), fromAddress: 'T-forged' }
    expect(await harness.stores.deposits.commit({ ...write, step: { ...write.step, deposit } })).toBe('committed')
    expect(await harness.stores.wallets.find(deposits.tenantId)).toMatchObject({ available: usdt(5_000_000n) })
    const stored = (await eventsAbout(harness.stores, deposits.tenantId, deposit.id)).at(-1)
    expect([...(stored?.body ?? [])]).toEqual([...asRecorded(write.step.event).body])
  })

  test('needs an address of its own tenant', async () => {
    const [deposit] = (await deposits.pending()) as [PendingDeposit]
    const other = await buildersOfAnotherTenant(harness.world, deposits)
    await refused(copied(deposit, `tx_hash = 'x', tenant_id = '${other.tenantId}'`), /foreign key/)
  })

  test('is unique for its transfer, except deposits that are gone', async () => {
    const [deposit] = (await deposits.pending()) as [PendingDeposit]
    await refused(copied(deposit, 'asked = 1'), /deposit_transfer/)
    const gone = await deposits.gone()
    await sql(copied(gone, `solid = 'gone', id = id || '1'`))
    await sql(copied(gone, `solid = null, due_at = null, id = id || '2'`))
    await refused(copied(gone, `solid = null, due_at = null, id = id || '3'`), /deposit_transfer/)
  })

  test('that solid blocks have decided keeps this decision', async () => {
    const [deposit] = (await deposits.due()) as [PendingDeposit]
    for (const change of ['amount = 1', `sender = 'x'`, 'solid_block = 1', `solid = 'gone', solid_block = null`])
      await refused(onDeposit(deposit, change), /solid_is_final/)
  })

  test('is credited only when confirmed, and with an amount that fits a bigint', async () => {
    const credit = `status = 'credited', credited_at = now(), due_at = null`
    await refused(onDeposit(await deposits.gone(), credit), /deposit_sound/)
    const [pending] = (await deposits.pending()) as [PendingDeposit]
    await refused(onDeposit(pending, credit), /deposit_sound/)
    const [huge] = (await deposits.due({ value: 2n ** 63n })) as [PendingDeposit]
    await refused(onDeposit(huge, credit), /deposit_sound/)
  })

  test('that is gone is not credited, and the other deposits of its batch are settled', async () => {
    await deposits.gone()
    const claimed = await deposits.claimOne()
    const solid = { type: 'confirmed', block: 7 } as const
    await deposits.due({}, {})
    const others = await harness.stores.deposits.claimDue(2, 100)
    const writes = [{ ...claimed, solid }, ...others].map((each) => settleDepositCommit(harness.world, each))
    const results = await Promise.allSettled(writes.map(harness.stores.deposits.commit))
    expect(results).toMatchObject([
      { status: 'rejected', reason: { message: 'query returned no rows' } },
      { status: 'fulfilled', value: 'committed' },
      { status: 'fulfilled', value: 'committed' },
    ])
    await harness.expectBalanced(deposits.tenantId)
  })

  test('that was credited or closed stays so, and keeps its review code', async () => {
    const credited = await deposits.credited()
    await refused(onDeposit(credited, `credited_at = now()`), /end_is_final/)
    const review = await deposits.inReview()
    await refused(onDeposit(review, `review_code = 'TENANT_NOT_ACTIVE'`), /review_is_final/)
    await refused(onDeposit(review, `review_code = 'TRANSFER_DROPPED'`), /review_is_final|sound/)
    await refused(onDeposit(review, `closed_at = now()`), /deposit_(sound|dust)/)
    const dust = `closed_at = now(), close_reason = 'DUST'`
    await refused(onDeposit(review, dust), /deposit_dust/)
    const close = `closed_at = now(), closed_by = 'ana', close_reason = 'why'`
    await sql(onDeposit(review, close))
    await refused(onDeposit(review, close), /end_is_final/)
  })

  test('has at most one credit, which is never deleted', async () => {
    const { id } = await deposits.credited()
    const again = copiedOf('funding_entry', `subject_id = '${id}' and amount > 0`, 'seq = seq + 1')
    await refused(again, /funding_entry_posting/)
    await refused('delete from quipu.funding_entry', /append-only/)
    await refused('truncate quipu.funding_entry', /append-only/)
    expect(await sql('select deposit_id from quipu.posting')).toEqual([{ deposit_id: id }])
  })
})

describe('a top-up address', () => {
  const change = (what: string): string => `update quipu.top_up_address set ${what}`

  test('changes only by retiring, once, and in its MAC; it is never deleted', async () => {
    for (const what of [`address = 'T1'`, `account = ''`, 'index = 7', `chain = 'x'`])
      await refused(change(what), /can change only in retired_at/)
    await refused('delete from quipu.top_up_address', /can change only in/)
    await refused('truncate quipu.top_up_address cascade', /append-only/)
    await sql(change('retired_at = now()'))
    await refused(change('retired_at = null'), /retirement_is_final/)
  })

  test('is unique by tenant, by index and by account', async () => {
    const copy = (over: string): string => copiedOf('top_up_address', `address = '${deposits.topUp.address}'`, over)
    const [account, index] = [`account = '${accountOf('x')}'`, 'index = 1000']
    await refused(copy(`${account}, ${index}, address = 'Tx'`), /in_use/)
    const retired = `retired_at = now(), address = 'Tx'`
    await refused(copy(`${account}, ${retired}`), /index_chain_key/)
    await refused(copy(`${index}, ${retired}`), /pkey/)
    await sql(copy(`${account}, ${index}, ${retired}`))
  })
})

describe('a faucet send', () => {
  test('never changes its bytes, is settled once and is never deleted', async () => {
    await newSend(harness.world, deposits.tenantId)
    const change = (what: string): string => `update quipu.faucet_send set ${what}`
    for (const what of [`bytes = ''`, 'amount = 1', `tx_hash = ''`, 'remaining_today = 1'])
      await refused(change(what), /can change only in/)
    await refused('delete from quipu.faucet_send', /can change only in/)
    await refused('truncate quipu.faucet_send', /append-only/)
    await refused(change(`status = 'confirmed'`), /faucet_send_due/)
    await sql(change(`status = 'confirmed', due_at = null`))
    await refused(change(`status = 'failed'`), /end_is_final/)
  })
})

test('a scan has all columns of its block or none', () =>
  refused('update quipu.scan set block_number = 7', /scan_at_block/))

const copied = ({ id }: { readonly id: string }, over: string): string =>
  copiedOf('deposit', `id = '${id}'`, over.includes('id ||') ? over : `id = id || 'x', ${over}`)

/** Inserts a copy of a row with other values in these columns. */
function copiedOf(table: string, where: string, over: string): string {
  return `
    with row as (select * from quipu.${table} where ${where})
    insert into quipu.${table}
    select (jsonb_populate_record(null::quipu.${table}, to_jsonb(row) || (
      select to_jsonb(changed) from (select ${aliased(over)} from row) changed
    ))).* from row`
}

/** Turns `a = 1, b = 2` into the list `1 as a, 2 as b` of a `select`. */
const aliased = (over: string): string =>
  over
    .split(', ')
    .map((each) => each.replace(/^(\w+) = (.*)$/, '$2 as $1'))
    .join(', ')
