import { describe, expect, test } from 'vitest'
import { builders } from '@quipu/contracts'
import { replayedModels, type ReplayedModel, replayModel } from './replay-model.fixture.ts'
import type { Wrap } from './open-replay.fixture.ts'
import { openStores } from './stores.fixture.ts'

/** Fewer on PostgreSQL: each trace takes a database of its own. More: docs/model.md. */
const traces = { memory: 20, PostgreSQL: 5 }
const draw = { steps: 40, seed: 11 }

describe.each(['memory', 'PostgreSQL'] as const)('over %s', (store) => {
  test.each(replayedModels)('%s: the code takes the steps of the model', async (name) => {
    const count = Number(process.env['REPLAYED_TRACES'] ?? traces[store])
    const taken = await replayModel(name, openStores[store], { ...draw, count })
    expect(taken.get(name === 'payout' ? 'settles' : 'crashes')).toBeGreaterThan(0)
  })
})

/** Stores that depart from the protocol. */
const departures: readonly (readonly [string, ReplayedModel, Wrap])[] = [
  [
    'releases the hold before the final answer',
    'payout',
    (stores) => ({
      ...stores,
      payouts: {
        ...stores.payouts,
        yieldClaim: async (claim, given) => {
          const payout = await stores.payouts.get(claim.tenantId, claim.payoutId)
          if (payout?.status !== 'processing') return stores.payouts.yieldClaim(claim, given)
          const release = builders(stores).settleCommit(payout, { type: 'cancelled' }, { claim })
          return (await stores.payouts.commit(release)) !== 'stale'
        },
      },
    }),
  ],
  [
    'moves the cursor without the transfers of the block',
    'deposit',
    (stores) => ({
      ...stores,
      scans: {
        ...stores.scans,
        advance: (claim, write) => stores.scans.advance(claim, { ...write, observedTransfers: [] }),
      },
    }),
  ],
  [
    'records a failed attempt as delivered',
    'delivery',
    (stores) => ({
      ...stores,
      deliveries: {
        ...stores.deliveries,
        record: (record) =>
          stores.deliveries.record({ ...record, decision: { type: 'delivered' } }),
      },
    }),
  ],
]

test.each(departures)('a store that %s departs from the model', async (_, name, wrap) => {
  const replay = replayModel(name, openStores.memory, { ...draw, count: 20 }, wrap)
  await expect(replay).rejects.toThrow('the code departs from the model')
})
