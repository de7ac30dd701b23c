import type { PendingDeposit } from '@quipu/core'
import { accountOf, alsoFunding, type Funding, funding, newSend } from '@quipu/core/testing'
import { beforeEach, afterEach, describe, expect, test } from 'vitest'
import { type Bench, openBench } from '../test/stores.fixture.ts'

/** What the database itself refuses, whoever writes to it. */
let bench: Bench
let scene: Funding
let sql: Bench['sql']
beforeEach(async () => {
  bench = await openBench()
  sql = bench.sql
  scene = await funding(world())
})
afterEach(() => bench.close())

const world = () => ({ ...bench, ...bench.stores, advance: () => Promise.resolve() })

const refused = (text: string, why: RegExp) => expect(sql(text)).rejects.toThrow(why)
const onDeposit = ({ id }: { readonly id: string }, change: string): string =>
  `update quipu.deposit set ${change} where id = '${id}'`

describe('a deposit', () => {
  test('is the same transfer for ever, and is never removed', async () => {
    const [deposit] = (await scene.pending()) as [PendingDeposit]
    for (const change of [
      `tx_hash = 'another'`,
      'transfer_index = 7',
      `created_at = now()`,
      `expires_at = now()`,
      'first_block = 1',
    ])
      await refused(onDeposit(deposit, change), /changes only in/)
    await refused('delete from quipu.deposit', /changes only in/)
    await refused('truncate quipu.deposit cascade', /append-only/)
  })

  test('goes to an address of its own tenant', async () => {
    const [deposit] = (await scene.pending()) as [PendingDeposit]
    const other = await alsoFunding(world(), scene)
    await refused(copied(deposit, `tx_hash = 'x', tenant_id = '${other.tenantId}'`), /foreign key/)
  })

  test('is one for each transfer, unless it is gone', async () => {
    const [deposit] = (await scene.pending()) as [PendingDeposit]
    await refused(copied(deposit, 'asked = 1'), /deposit_transfer/)
    const gone = await scene.gone()
    await sql(copied(gone, `solid = 'gone', id = id || '1'`))
    await sql(copied(gone, `solid = null, due_at = null, id = id || '2'`))
    await refused(copied(gone, `solid = null, due_at = null, id = id || '3'`), /deposit_transfer/)
  })

  test('that solid blocks have decided is not decided again', async () => {
    const [deposit] = (await scene.due()) as [PendingDeposit]
    for (const change of [
      'amount = 1',
      `sender = 'x'`,
      'solid_block = 1',
      `solid = 'gone', solid_block = null`,
    ])
      await refused(onDeposit(deposit, change), /decided_once/)
  })

  test('is credited when a solid block has it, with an amount that the ledger can carry', async () => {
    const credit = `status = 'credited', credited_at = now(), due_at = null`
    await refused(onDeposit(await scene.gone(), credit), /deposit_sound/)
    const [pending] = (await scene.pending()) as [PendingDeposit]
    await refused(onDeposit(pending, credit), /deposit_sound/)
    const [huge] = (await scene.due({ value: 2n ** 63n })) as [PendingDeposit]
    await refused(onDeposit(huge, credit), /deposit_sound/)
  })

  test('is credited with its own amount and no other', async () => {
    const [deposit] = (await scene.due({ value: 5_000_000n })) as [PendingDeposit]
    const { claim } = await scene.claimOne()
    const end = (minor: number): string =>
      `select verdict from quipu.end_deposit('${deposit.tenantId}', '${deposit.id}', ${claim.fencingToken}, false,
        'credited', ${minor}, now(), null, null, null, null, null, null, null, null, null, null, null, null)`
    await refused(end(5_000_001), /is of 5000000, not 5000001/)
    expect(await sql(end(5_000_000))).toEqual([{ verdict: 'committed' }])
  })

  test('that was credited or closed stays so, and a review keeps its reason', async () => {
    const credited = await scene.credited()
    await refused(onDeposit(credited, `credited_at = now()`), /ended_once/)
    const review = await scene.inReview()
    await refused(onDeposit(review, `review_code = 'TENANT_NOT_ACTIVE'`), /reviewed_once/)
    await refused(onDeposit(review, `review_code = 'TRANSFER_DROPPED'`), /reviewed_once|sound/)
    await refused(onDeposit(review, `closed_at = now()`), /deposit_sound/)
    const close = `closed_at = now(), closed_by = 'ana', close_reason = 'why'`
    await sql(onDeposit(review, close))
    await refused(onDeposit(review, close), /ended_once/)
  })

  test('has one credit, which is never forgotten, and its money names it', async () => {
    const { id } = await scene.credited()
    const again = `select deposit_id, tenant_id, seq + 1, null, credited_at from quipu.deposit_credit`
    await refused(`insert into quipu.deposit_credit ${again}`, /deposit_credit_pkey/)
    await refused('delete from quipu.deposit_credit', /append-only/)
    await refused('truncate quipu.deposit_credit', /append-only/)
    const columns =
      'tenant_id, type, debit, credit, amount, available_after, held_after, seq, created_at'
    const nameless = `insert into quipu.transfer (${columns}) select ${columns} from quipu.transfer`
    await refused(nameless, /transfer_of_deposit/)
    expect(await sql('select deposit_id from quipu.transfer')).toEqual([{ deposit_id: id }])
  })
})

describe('a top-up address', () => {
  const change = (what: string): string => `update quipu.top_up_address set ${what}`

  test('changes in nothing but that it is retired, once, and is never removed', async () => {
    for (const what of [`seal = ''`, `address = 'T1'`, `account = ''`, 'index = 7', `chain = 'x'`])
      await refused(change(what), /changes only in retired_at/)
    await refused('delete from quipu.top_up_address', /changes only in/)
    await refused('truncate quipu.top_up_address cascade', /append-only/)
    await sql(change('retired_at = now()'))
    await refused(change('retired_at = null'), /retired_once/)
  })

  test('is one for each tenant, index and account', async () => {
    const copy = (over: string): string =>
      copiedOf('top_up_address', `address = '${scene.topUp.address}'`, over)
    const [account, index] = [`account = '${accountOf('x')}'`, 'index = 1000']
    await refused(copy(`${account}, ${index}, address = 'Tx'`), /in_use/)
    const retired = `retired_at = now(), address = 'Tx'`
    await refused(copy(`${account}, ${retired}`), /index_chain_key/)
    await refused(copy(`${index}, ${retired}`), /pkey/)
    await sql(copy(`${account}, ${index}, ${retired}`))
  })
})

describe('what the faucet sent', () => {
  test('is these bytes for ever, ends once and is never removed', async () => {
    await newSend(world(), scene.tenantId)
    const change = (what: string): string => `update quipu.faucet_send set ${what}`
    for (const what of [`bytes = ''`, 'amount = 1', `tx_hash = ''`, 'remaining_today = 1'])
      await refused(change(what), /changes only in/)
    await refused('delete from quipu.faucet_send', /changes only in/)
    await refused('truncate quipu.faucet_send', /append-only/)
    await refused(change(`status = 'confirmed'`), /faucet_send_due/)
    await sql(change(`status = 'confirmed', due_at = null`))
    await refused(change(`status = 'failed'`), /ended_once/)
  })
})

test('a scan is at a whole block or at none', () =>
  refused('update quipu.scan set block_number = 7', /scan_at_block/))

const copied = ({ id }: { readonly id: string }, over: string): string =>
  copiedOf('deposit', `id = '${id}'`, over.includes('id ||') ? over : `id = id || 'x', ${over}`)

/** Inserts a copy of a row that is other in these columns. */
function copiedOf(table: string, where: string, over: string): string {
  return `
    with row as (select * from quipu.${table} where ${where})
    insert into quipu.${table}
    select (jsonb_populate_record(null::quipu.${table}, to_jsonb(row) || (
      select to_jsonb(changed) from (select ${aliased(over)} from row) changed
    ))).* from row`
}

/** `a = 1, b = 2` as what a `select` gives these names. */
const aliased = (over: string): string =>
  over
    .split(', ')
    .map((each) => each.replace(/^(\w+) = (.*)$/, '$2 as $1'))
    .join(', ')
