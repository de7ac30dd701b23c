import type { ClaimedDeposit } from '@quipu/core/adapter'
import { type DepositBuilders, depositBuilders, settleDepositCommit } from '@quipu/contracts'
import { beforeAll, expect, test } from 'vitest'
import type { Database, Query } from '../connection/database.ts'
import { indexPagesReadBy, rowsReadBy, useStoreSession } from '../test/reach.fixture.ts'
import { useStoreHarness } from '../test/stores.fixture.ts'
import { postgresDepositStore } from './deposit-store.ts'
import { postgresScanStore } from './scan-store.ts'
import { settleDepositsProtocol } from './settle-deposits.ts'

// How many rows the deposit functions read in large tables. They are planned while the tables are nearly
// empty, and the session keeps those plans.

const crowd = 20_000

const harness = useStoreHarness()
/** The session that runs all statements, and so keeps their plans. */
const sql = useStoreSession(harness)
let deposits: DepositBuilders
beforeAll(async () => {
  deposits = await depositBuilders(world())
  const { id } = await deposits.credited()
  await deposits.due()
  await settle(await stores.deposits.claimDue(1, 100))
  await harness.sql(
    `insert into quipu.deposit
     select (jsonb_populate_record(d, jsonb_build_object('id', d.id || n, 'tx_hash', n::text))).*
     from quipu.deposit d, generate_series(1, $1::int) n where d.id = $2`,
    [crowd, id],
  )
})

const query = (({ text }, values) => sql(text, [...values])) as Query
const database = { query, read: query, list: query, clockOverride: () => null } as Database
const stores = {
  deposits: postgresDepositStore(database, { commit: () => Promise.reject(new Error('unused')) }),
  scans: postgresScanStore(database),
}
const protocol = settleDepositsProtocol(database)

const world = () => ({ ...harness.world, scans: stores.scans })

async function settle(claimed: readonly ClaimedDeposit[]): Promise<unknown> {
  const writes = claimed.map((each) => settleDepositCommit(world(), each))
  const [row] = await sql(protocol.statement.text, [...protocol.encode(writes)])
  return row?.['results']
}

const tables = '^(deposit|wallet|funding|scan|top_up|tenant)'
const reads = (work: () => Promise<unknown>): Promise<number> => rowsReadBy(sql, tables, work)

test('a scan reads only the rows of its observed transfers', async () => {
  expect(await reads(() => deposits.pending({}, {}, {}))).toBeLessThan(60)
  expect(await reads(() => deposits.due({}, {}, {}))).toBeLessThan(60)
  expect(await reads(() => deposits.gone())).toBeLessThan(60)
})

test('claiming, yielding and settling read only their own deposits', async () => {
  await deposits.due({}, {}, {})
  let claimed: readonly ClaimedDeposit[] = []
  const claim = async () => (claimed = await stores.deposits.claimDue(3, 100))
  expect(await reads(claim)).toBeLessThan(40)
  expect(claimed).toHaveLength(3)
  const [first, ...others] = claimed
  const giveBack = () => first && stores.deposits.yieldClaim(first.claim, 0, 'late')
  expect(await reads(async () => expect(await giveBack()).toBe(true))).toBeLessThan(10)
  const settleOthers = async () => expect(await settle(others)).toEqual(['committed', 'committed'])
  expect(await reads(settleOthers)).toBeLessThan(40)
})

test('a credit whose answer was lost is found by its event without reading the others', async () => {
  await deposits.due()
  const [claimed] = await stores.deposits.claimDue(1, 100)
  if (claimed === undefined) throw new Error('no deposit is due')
  const write = settleDepositCommit(world(), claimed)
  await sql(protocol.statement.text, [...protocol.encode([write])])
  await harness.sql(
    `insert into quipu.funding_entry (tenant_id, seq, logged_at, occurred_at, amount,
       available_after, held_after, event_id, type, subject_id, body)
     select $1, -n, at, at, 1, 1, 0, quipu.uuid_at(uuidv7(), at), 'deposit.credited', n, '{}'
     from generate_series(1, $2::int) n, lateral (
       select $3::timestamptz - make_interval(secs => n) as at
     ) instant`,
    [deposits.tenantId, crowd, write.step.event.recordedAt],
  )
  let found: unknown
  const pages = await indexPagesReadBy(sql, '^funding_entry', async () => {
    found = (await protocol.readBack([write])).get(write)
  })
  expect(found).toBe('committed')
  expect(pages).toBeLessThan(30)
  const another = settleDepositCommit(world(), claimed)
  expect((await protocol.readBack([another])).size).toBe(0)
})
