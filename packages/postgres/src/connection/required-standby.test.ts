import { Unavailable, usdt } from '@quipu/core'
import {
  approveAdjustment,
  commitSend,
  depositBuilders,
  newSend,
  paidAnswer,
  settleDepositCommit,
} from '@quipu/contracts'
import type { ReplicatedPostgres } from '@quipu/embedded-postgres'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { nameStandbys, sql, startAccepting, startPair, untilWaiting, waiting } from '../test/standby-pair.fixture.ts'

const required = { isStandbyRequired: true }
/** No wait of a commit ends by itself. */
const patient = { ...required, statementTimeoutMs: 900_000, standbyWaitMs: 900_000 }

const outcome = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    (result) => ({ success: result }),
    (error: unknown) => error,
  )

const noStandby = expect.objectContaining({
  message: expect.stringContaining('no standby is required by the server') as string,
}) as Error

/** Writes of every kind, each in a session of its own, and a confirmed read. */
async function startWriting() {
  const started = await startAccepting({ ...patient, batchConnections: { paying: 3 } })
  const { stores, newQuote, newPayout, newResolution, newWallet, tenantId, settleCommit, insertEndedCommit } = started
  // Each has a wallet of its own, as a commit that waits has its wallet locked.
  const quote = async () => newQuote(await newWallet(usdt(10n)), { source: usdt(1n) })
  const payout = await newPayout(await quote())
  const declined = insertEndedCommit(await quote())
  const deposits = await depositBuilders({ ...stores, ...started, advance: async () => undefined })
  await deposits.due()
  const deposit = settleDepositCommit(started, await deposits.claimOne())
  const funds = { id: 'funds', direction: 'in', amount: usdt(1n), reason: 'test', actor: 'ana' } as const
  const adjustment = { ...funds, tenantId: await newWallet(usdt(1n)) }
  await approveAdjustment(stores, adjustment)
  await newSend({ ...stores, ...started }, tenantId, { leaseSeconds: 0 })
  const [send] = await stores.faucet.claimDue(1, 100)
  if (send === undefined) throw new Error('no send is due')
  const writes = {
    read: () => stores.wallets.find(tenantId),
    ping: () => stores.ping(), // Before the batches: it probes their connections.
    query: () => newResolution(tenantId),
    adjust: () => stores.wallets.adjust(adjustment),
    deposit: () => stores.deposits.commit(deposit),
    transaction: () => commitSend({ ...stores, ...started }, started.payout.tenantId),
    faucet: () => stores.faucet.settle(send.claim, 'confirmed'),
    accept: () => stores.payouts.commit(started.write),
    settle: () => stores.payouts.commit(settleCommit(payout, paidAnswer(payout))),
    insert_ended: () => stores.payouts.commit(declined),
  }
  return { ...started, writes }
}

test('no commit that waits when the setting is emptied returns as a success', async () => {
  const { pair, stores, writes, tenantId } = await startWriting()
  pair.replication.stall()
  const waits: Promise<unknown>[] = []
  for (const write of Object.values(writes)) {
    waits.push(outcome(write()))
    await untilWaiting(pair, waits.length)
  }
  await nameStandbys(pair, '')
  for (const error of await Promise.all(waits)) expect(error).toBeInstanceOf(Unavailable)
  expect(stores.isStandbyMissing()).toBe(true)
  // All of them are visible, and on no standby.
  expect(await sql(pair, 'select from quipu.payout_end')).toHaveLength(2)

  const before = await sql(pair, 'select count(*) from quipu.payout')
  for (const write of Object.values(writes)) expect(await outcome(write())).toEqual(noStandby)
  expect(await sql(pair, 'select count(*) from quipu.payout')).toEqual(before)

  pair.replication.resume()
  await nameStandbys(pair, 'standby')
  await expect.poll(() => outcome(stores.ping())).toHaveProperty('success')
  expect(stores.isStandbyMissing()).toBe(false)
  expect(await stores.wallets.find(tenantId)).toBeDefined()
})

test.each(['', '*', 'FIRST 1 (*)', 'ANY 1 (standby, *)'])(
  'while the server names %j as its standbys, nothing is acknowledged or, after the first, sent',
  async (names) => {
    const { pair, stores, write } = await startAccepting(required)
    await nameStandbys(pair, names)
    expect(await outcome(stores.payouts.commit(write))).toEqual(noStandby)
    const [{ position } = {}] = await sql(pair, 'select pg_current_wal_insert_lsn()::text as position')
    expect(await outcome(stores.payouts.commit(write))).toEqual(noStandby)
    expect(await outcome(stores.ping())).toEqual(noStandby)
    expect(await sql(pair, 'select pg_current_wal_insert_lsn()::text as position')).toEqual([{ position }])
  },
)

/** Halts the session that waits, so that it hears of the next configurations only when it goes on. */
async function haltWaiting(pair: ReplicatedPostgres): Promise<() => void> {
  const [{ pid } = {}] = await sql(pair, waiting)
  process.kill(Number(pid), 'SIGSTOP')
  const goOn = (): void => void process.kill(Number(pid), 'SIGCONT')
  onTestFinished(() => {
    try {
      goOn()
    } catch {
      // The session has ended.
    }
  })
  return goOn
}

test('a commit is no success before the standby has it, when the setting is emptied and set again while it waits', async () => {
  const { pair, stores, write } = await startAccepting(patient)
  pair.replication.stall()
  const committed = outcome(stores.payouts.commit(write))
  await untilWaiting(pair)
  const goOn = await haltWaiting(pair)
  await nameStandbys(pair, '')
  // A commit of another session returns: the server has released all that wait.
  await sql(pair, `select pg_logical_emit_message(true, 'test', '')`)
  await nameStandbys(pair, 'standby')
  goOn()
  let isAnswered = false
  void committed.then(() => (isAnswered = true))
  // The released session makes another commit, which waits.
  await expect.poll(() => sql(pair, `${waiting} and query like '%pg_backend_pid()%'`)).toHaveLength(1)
  expect(isAnswered).toBe(false)
  pair.replication.resume()
  expect(await committed).toEqual({ success: 'committed' })
  await pair.replication.untilCaughtUp()
  const standby = new pg.Client(pair.standby.urlFor('quipu'))
  await standby.connect()
  expect((await standby.query('select from quipu.payout')).rowCount).toBe(1)
  await standby.end()
})

test('a reload while a commit waits costs nothing but a further commit', async () => {
  const { pair, stores, write, payout } = await startAccepting(patient)
  pair.replication.stall()
  const committed = outcome(stores.payouts.commit(write))
  await untilWaiting(pair)
  await nameStandbys(pair, 'standby, other')
  pair.replication.resume()
  expect(await committed).toEqual({ success: 'committed' })
  expect(await stores.payouts.get(payout.tenantId, payout.id)).toEqual(payout)
})

test('where no standby is required, an emptied setting changes nothing', async () => {
  const { pair, stores, newWallet } = await startPair()
  await nameStandbys(pair, '')
  expect(await stores.wallets.find(await newWallet(usdt(1n)))).toBeDefined()
  expect(stores.isStandbyMissing()).toBe(false)
})
