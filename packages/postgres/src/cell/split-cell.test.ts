import { setTimeout as delay } from 'node:timers/promises'
import { credentialOf, newKey, newTopUp, paidAnswer } from '@quipu/contracts'
import { Unavailable, usdt } from '@quipu/core'
import { isBalanced, type ProcessingPayout } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { migrate } from '../migration/migrate.ts'
import { refuseUnfitDatabase } from '../readiness/fit-database.ts'
import { eventsHappen, everything, newEndpoint } from '../test/deliveries.fixture.ts'
import { openCell, quickly, type Side, sql } from './cell.fixture.ts'
import { movedKeys, readCell } from './read-cell.ts'
import { splitCell, SplitRefused, type SplitStep, undoSplit } from './split-cell.ts'

const unused = () => {
  throw new Error('the database has answered')
}

/** Pays for this tenant until it is stopped. */
function load(g: Side, tenantId: string) {
  const acknowledged: ProcessingPayout[] = []
  const errors: unknown[] = []
  let isStopped = false
  const paying = (async () => {
    while (!isStopped) {
      try {
        const commit = g.acceptCommit(await g.newQuote(tenantId, { source: usdt(1n) }))
        expect(await g.payouts.commit(commit)).toBe('committed')
        acknowledged.push(commit.step.payout)
      } catch (error) {
        errors.push(error)
        await delay(20)
      }
    }
  })()
  return {
    acknowledged,
    errors,
    more: async (count = 5) => {
      const before = acknowledged.length
      await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(before + count)
    },
    stop: async () => {
      isStopped = true
      await paying
    },
  }
}

const payoutsOf = async (url: string, tenantId: string): Promise<readonly unknown[]> =>
  (await sql(url, 'select id from quipu.payout where tenant_id = $1 order by id', [tenantId])).map(({ id }) => id)

async function expectBalanced(sides: readonly Side[], tenants: readonly string[]): Promise<void> {
  for (const { wallets } of sides)
    for (const tenantId of tenants) {
      const wallet = await wallets.find(tenantId)
      expect(wallet !== undefined && isBalanced(wallet, await wallets.totals(tenantId))).toBe(true)
    }
}

/** Runs the split until it dies before this step. */
async function killedAt(step: SplitStep, split: Parameters<typeof splitCell>[0]): Promise<void> {
  const report = (reached: SplitStep): void => {
    if (reached === step) throw new Error(`killed at ${step}`)
  }
  await expect(splitCell(split, { ...quickly, report })).rejects.toThrow(`killed at ${step}`)
}

test('a split under load that is killed at each step goes on, back until the promotion and forwards after it', async () => {
  const { from, to, g, open } = await openCell()
  const stay = await g.newWallet(usdt(1_000_000n))
  const tenants = [await g.newWallet(usdt(1_000_000n)), await g.newWallet(usdt(1_000_000n))]
  const split = { from, to, tenants, cell: 'h' }
  const [staying, ...moving] = [stay, ...tenants].map((tenant) => load(g, tenant))
  await Promise.all(moving.map((each) => each.more()))

  for (const step of ['stop', 'replay', 'promote'] as const) {
    await killedAt(step, split)
    await undoSplit(split)
    await Promise.all(moving.map((each) => each.more()))
  }
  expect(await readCell(from)).toEqual({ letter: 'g', isStandby: false, tenants: 3, moving: [] })
  for (const step of ['stop', 'replay', 'promote'] as const) await killedAt(step, split)
  const part = { ...split, tenants: tenants.slice(1) }
  await expect(splitCell(part, quickly)).rejects.toThrow('other tenants move or have moved to h')
  await expect(undoSplit({ ...split, cell: 'j' })).rejects.toThrow('the tenants do not move to j')
  for (const step of ['enter', 'leave', 'freeze'] as const) {
    await killedAt(step, split)
    await expect(undoSplit(split)).rejects.toThrow('go on with the split')
  }
  await splitCell(split)
  await splitCell(split)
  await staying?.more()
  await Promise.all([staying, ...moving].flatMap((each) => each?.stop() ?? []))

  expect(staying?.errors).toEqual([])
  const h = open(to)
  for (const [index, tenant] of tenants.entries()) {
    const { acknowledged = [], errors = [] } = moving[index] ?? {}
    expect(errors.every((error) => error instanceof Unavailable)).toBe(true)
    const there = await payoutsOf(to, tenant)
    expect(there).toEqual(expect.arrayContaining(acknowledged.map(({ id }) => id)))
    expect(await payoutsOf(from, tenant)).toEqual(there)
  }
  const [paid] = moving[0]?.acknowledged ?? []
  if (paid === undefined) throw new Error('nothing was paid')
  const settle = (side: Side) => side.payouts.commit(side.settleCommit(paid, paidAnswer(paid)))
  await expect(settle(g)).rejects.toThrow(Unavailable)
  expect(await settle(h)).toBe('committed')
  const stale = h.payouts.commit(h.acceptCommit(await h.newQuote(stay, { source: usdt(1n) })))
  await expect(stale).rejects.toThrow(Unavailable)
  await expectBalanced([g, h], [stay, ...tenants])
  expect(await readCell(from)).toMatchObject({
    letter: 'g',
    tenants: 1,
    moving: [{ cell: 'h', step: 'left', tenants: 2 }],
  })
  expect(await readCell(to)).toMatchObject({
    letter: 'h',
    tenants: 2,
    moving: [{ cell: 'g', step: 'left', tenants: 1 }],
  })
})

test('what waits for a moved tenant is done once, in its new cell', async () => {
  const { from, to, g, open } = await openCell()
  const [stay, move] = [await g.newWallet(usdt(1_000n)), await g.newWallet(usdt(1_000n))]
  const endpoints = [await newEndpoint(g as never, stay), await newEndpoint(g as never, move)]
  for (const tenant of [stay, move]) await sql(from, eventsHappen, [tenant, 3])
  const topUp = await newTopUp(g, move)
  const key = newKey(g, move)
  await g.apiKeys.issue(key, credentialOf('ada'))
  const open1 = await Promise.all(
    [stay, move].map(async (tenant) =>
      g.newPayout(await g.newQuote(tenant, { source: usdt(1n) }), { leaseSeconds: 0 }),
    ),
  )
  await splitCell({ from, to, tenants: [move], cell: 'h' }, quickly)
  const h = open(to)

  const claimed = async ({ deliveries, payouts }: Side) => ({
    deliveries: (await deliveries.claimDue(everything)).map(({ claim }) => claim.endpointId),
    payouts: (await payouts.claimDue(100, 60)).map(({ claim }) => claim.payoutId),
  })
  const [first, second] = endpoints
  expect(await claimed(g)).toEqual({ deliveries: [first, first, first], payouts: [open1[0]?.id] })
  expect(await claimed(h)).toEqual({ deliveries: [second, second, second], payouts: [open1[1]?.id] })
  const match = async (side: Side) =>
    (await side.addresses.match('tron', [topUp.account])).map(({ tenantId }) => tenantId)
  expect(await match(g)).toEqual([])
  expect(await match(h)).toEqual([move])
  await expect(g.apiKeys.findCaller(key.hash)).rejects.toThrow(Unavailable)
  expect((await h.apiKeys.findCaller(key.hash))?.tenant.id).toBe(move)
  expect(await movedKeys(from)).toEqual({ letter: 'g', hashes: [] })
  expect(await movedKeys(to)).toEqual({ letter: 'h', hashes: [key.hash] })

  const start = (url: string, cell: string) => refuseUnfitDatabase({ url, cell, isProduction: false }, unused)
  await start(from, 'g')
  await start(to, 'h')
  await expect(start(to, 'g')).rejects.toThrow('the database belongs to cell h')
  const [another] = await sql(to, `select quipu.address_indexes('h') @> nextval('quipu.top_up_index_tron')::int as own`)
  expect(another).toEqual({ own: true })
  // Payments begin in the new cell at once, without a comparison with the network.
  expect(await h.payouts.commit(h.acceptCommit(await h.newQuote(move, { source: usdt(1n) })))).toBe('committed')
})

test('a split is refused that would lose or double something', async () => {
  const { pair, from, to, g } = await openCell()
  const tenants = [await g.newWallet(usdt(1_000n))]
  const split = { from, to, tenants, cell: 'h' }
  const refused = (over: object, why: string) => expect(splitCell({ ...split, ...over }, quickly)).rejects.toThrow(why)
  await refused({ from: to }, 'the old cell is a standby')
  await refused({ cell: 'g' }, 'g is the letter of the old cell')
  await refused({ tenants: ['ten_unknown'] }, 'a tenant does not exist')
  // The standby still shows the stop of a split that went back.
  await killedAt('promote', split)
  await sql(to, 'select pg_wal_replay_pause()')
  await undoSplit(split)
  const pause = () => Promise.reject(new Error('the standby is behind'))
  await expect(splitCell(split, { ...quickly, pause })).rejects.toThrow('the standby is behind')
  expect(await readCell(from)).toMatchObject({ moving: [{ step: 'draining' }] })
  await sql(to, 'select pg_wal_replay_resume()')
  await undoSplit(split)
  const follow = async (conninfo: string): Promise<void> => {
    await sql(to, `alter system set primary_conninfo = '${conninfo}'`)
    await sql(to, 'select pg_reload_conf()')
  }
  const [own] = await sql(to, `select replace(current_setting('primary_conninfo'), '''', '''''') as conninfo`)
  const losing = async (step: SplitStep): Promise<void> => void (step === 'stop' && pair.replication.stall())
  let lost: Promise<void> | undefined
  const losesStream = { ...quickly, report: losing, pause: () => (lost ??= follow('')) }
  await expect(splitCell(split, losesStream)).rejects.toThrow('the standby no longer streams')
  pair.replication.resume()
  await follow(String(own?.['conninfo']))
  await undoSplit(split)
  await pair.promote()
  await refused({}, 'the standby was promoted without the stop')
  await expect(undoSplit(split)).rejects.toThrow(SplitRefused)
  await expect(migrate(from, { cell: 'h' })).rejects.toThrow('the letter of the cell failed')
  expect(await readCell(from)).toMatchObject({ moving: [] })
})
