import { usdt } from '@quipu/core'
import { adjustWallet, depositBuilders, builders, paidAnswer, settleDepositCommit } from '@quipu/contracts'
import { testDatabase } from '@quipu/embedded-postgres/testing'
import { allowTestClock, checkpointBalances, postgresStores, type PostgresStores } from '@quipu/postgres'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateWithOperators } from '../harness/tenant.fixture.ts'
import { readDocument } from './documents.fixture.ts'

const { blocks, text } = readDocument('docs/accounting.md')
const [postings = '', recompute = '', checkpoints = ''] = blocks.map((block) => block.text)

let stores: PostgresStores
let client: pg.Client
let close: () => Promise<void>
/** A tenant with every kind of movement. */
let busy: string
beforeAll(async () => {
  const { url, drop } = await testDatabase({ templateName: 'quipu_local', migrate: migrateWithOperators })
  await allowTestClock(url) // The fixtures have instants of their own.
  stores = postgresStores({ url })
  client = new pg.Client(url)
  await client.connect()
  close = async () => {
    await client.end()
    await stores.close()
    await drop()
  }
  const w = { ...builders(stores), ...stores, advance: () => Promise.resolve() }
  const scene = await depositBuilders(w)
  const pay = async (tenantId: string, isPaid: boolean, transactionId = w.ids.uuid(new Date())) => {
    const payout = await w.newPayout(await w.newQuote(tenantId), { transactionId })
    const answer = isPaid ? paidAnswer(payout) : ({ type: 'refused_payment' } as const)
    expect(await w.payouts.commit(w.settleCommit(payout, answer))).not.toBe('stale')
  }
  const credit = async (value: bigint): Promise<void> => {
    await scene.due({ value })
    const write = settleDepositCommit(w, await scene.claimOne())
    expect(await w.deposits.commit(write)).not.toBe('stale')
  }
  await credit(100_000_000n)
  await pay(scene.tenantId, true, 'order-1042')

  busy = await w.newWallet(usdt(70_000_000n))
  await adjustWallet(w, {
    id: w.ids.uuid(new Date()),
    tenantId: busy,
    direction: 'out',
    amount: usdt(3n),
    reason: 'test',
    actor: 'ana',
  })
  for (const isPaid of [true, false, true]) await pay(busy, isPaid)
  await w.newPayout(await w.newQuote(busy)) // In `processing`.
  await w.payouts.commit(w.insertEndedCommit(await w.newQuote(busy)))
  await w.newWallet(usdt(0n))
  await checkpointBalances(url, { size: 2 })
})
afterAll(() => close())

type Row = Readonly<Record<string, string | null>>
const rowsOf = async (sql: string): Promise<readonly Row[]> => (await client.query<Row>(sql)).rows

/** Result of a statement after a change without triggers, in a transaction that is rolled back. */
async function afterForgery(change: string, sql: string): Promise<readonly Row[]> {
  await client.query(`begin; set local session_replication_role = replica; ${change}`)
  const rows = await rowsOf(sql)
  await client.query('rollback')
  return rows
}

test('the document has three SQL statements, which are run here', () => {
  expect(blocks.map(({ language }) => language)).toEqual(['sql', 'sql', 'sql'])
})

test('the postings of a payout match the document', async () => {
  const [, shown = ''] = /order-1042'[^]*?```\n\n([^]*?)\n\n/.exec(text) ?? []
  const [head = [], , ...rows] = shown.split('\n').map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
  const table = rows.map((row) => Object.fromEntries(row.map((cell, n) => [head[n] ?? '', cell])))
  expect(table).toHaveLength(2)
  expect(await rowsOf(postings)).toEqual(table)
})

test('the recomputed balances equal the wallets', async () => {
  const rows = await rowsOf(recompute)
  expect(rows).toHaveLength(3)
  for (const row of rows) expect(row).toMatchObject({ available_difference: '0', held_difference: '0' })
  const spent = 2n * 10_203_353n
  expect(rows.find(({ tenant_id }) => tenant_id === busy)).toMatchObject({
    available: String(70_000_000n - 3n - spent - 10_203_353n),
    held: '10203353',
  })
})

test.each([
  ['a balance', `update quipu.wallet set available = available + 1 where tenant_id = $`, '1', '0'],
  ['a held balance', `update quipu.wallet set held = held - 1 where tenant_id = $`, '0', '-1'],
  ['a hold', 'update quipu.payout set hold = hold + 2 where hold is not null and tenant_id = $', '8', '-8'],
  [
    'a capture',
    `update quipu.payout_end set amount = amount - 5 where status = 'completed' and tenant_id = $`,
    '0',
    '-10',
  ],
  ['a release', `delete from quipu.payout_end where status = 'failed' and tenant_id = $`, '10203353', '-10203353'],
  ['an adjustment', `delete from quipu.funding_entry where type = 'adjustment_out' and tenant_id = $`, '-3', '0'],
])('the statement lists %s that was forged first', async (_, change, available, held) => {
  const rows = await afterForgery(change.replace('$', `'${busy}'`), recompute)
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatchObject({ tenant_id: busy, available_difference: available, held_difference: held })
  expect(rows[1]).toMatchObject({ available_difference: '0', held_difference: '0' })
})

test('the statement lists postings without a wallet', async () => {
  const [first] = await afterForgery(`delete from quipu.wallet where tenant_id = '${busy}'`, recompute)
  expect(first).toMatchObject({ tenant_id: null, available_difference: null })
})

test('the statement lists only checkpoints that differ from the sum of their entries', async () => {
  expect(await rowsOf(checkpoints)).toEqual([])
  const forge = `update quipu.balance_checkpoint set capture = capture + 1 where through_seq = 4`
  expect(await afterForgery(forge, checkpoints)).toEqual([{ tenant_id: busy, through_seq: '4' }])
  const removed = `delete from quipu.funding_entry where type = 'deposit.credited'`
  expect(await afterForgery(removed, checkpoints)).toMatchObject([{ through_seq: '2' }])
})
