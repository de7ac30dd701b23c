import { Unavailable, usdt } from '@quipu/core'
import { expect, onTestFinished, test } from 'vitest'
import { type Pair, sql, startPair } from '../test/standby-pair.fixture.ts'
import { readGate } from '../readiness/restore.ts'
import { postgresStores } from '../stores.ts'

/** Replaces the primary by the standby, whatever that one has. */
async function failOver({ pair, stores }: Pair): Promise<void> {
  await pair.primary.kill()
  pair.replication.resume()
  await pair.promote()
  pair.address.pointTo(pair.standby)
  await expect.poll(() => stores.ping().then(() => 'answers', String)).toBe('answers')
}

const haltOf = async ({ pair }: Pair) => (await readGate(pair.standby.urlFor('quipu'))).halt?.reason

test('a forced fail-over to a server without the last commits halts payments, also after restarts', async () => {
  const started = await startPair({ synchronous: false })
  const { pair, stores, newQuote, newPayout, newWallet, acceptCommit } = started
  const payer = await newWallet(usdt(10n))
  const order = acceptCommit(await newQuote(payer, { source: usdt(1n), lifeSeconds: 300 }))
  await pair.replication.untilCaughtUp()
  pair.replication.stall()
  await newPayout(await newQuote(payer, { source: usdt(1n) })) // Acknowledged, and on no standby.
  await failOver(started)
  await expect(stores.payouts.commit(order)).rejects.toThrow('payments are halted')
  expect(await haltOf(started)).toBe('went_back')

  await pair.standby.kill()
  await pair.standby.start()
  const later = postgresStores({ url: pair.standby.urlFor('quipu') })
  onTestFinished(() => later.close())
  await expect(later.payouts.commit(order)).rejects.toBeInstanceOf(Unavailable)
  expect((await later.restores.gate()).halt?.reason).toBe('went_back')
})

test('a restore to an instant that one look has seen stays known at a promoted standby, which has no target', async () => {
  const started = await startPair()
  const { pair, stores, newQuote, newWallet, acceptCommit } = started
  const order = acceptCommit(await newQuote(await newWallet(usdt(10n)), { source: usdt(1n), lifeSeconds: 300 }))
  await sql(pair, `alter system set recovery_target_time = '2026-04-01 00:00:00+00'`)
  await pair.primary.kill()
  await pair.primary.start()
  await pair.replication.untilCaughtUp()
  await sql(pair, 'update quipu.lineage set timeline = timeline + 1')
  expect((await stores.ping()).gate.halt?.reason).toBe('restored')
  await failOver(started)
  await expect(stores.payouts.commit(order)).rejects.toThrow('payments are halted')
  expect(await haltOf(started)).toBe('restored')
})
