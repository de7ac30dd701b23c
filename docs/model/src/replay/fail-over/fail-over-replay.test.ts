import { expect, test } from 'vitest'
import type { WrapPayouts } from './fail-over-replay.fixture.ts'
import { actions } from './actions.fixture.ts'
import { replayFailOver } from './replay-fail-over.fixture.ts'

const draw = { count: 100, steps: 40, seed: 11 }

test('failOver: the code takes the steps of the model', async () => {
  const count = Number(process.env['REPLAYED_TRACES'] ?? draw.count)
  const taken = await replayFailOver({ ...draw, count })
  expect(Array.from(taken.keys()).toSorted()).toEqual(Object.keys(actions).toSorted())
})

/** Processes that depart from the protocol. */
const departures: readonly (readonly [string, WrapPayouts])[] = [
  ['acts on rows that it has only read', (_, latest) => latest],
  [
    'reads a commit back whose answer was lost, and goes on',
    (payouts) => ({
      ...payouts,
      commit: (write) =>
        payouts.commit(write).catch(async (error: unknown) => {
          const { tenantId, id } = write.step.payout
          if (await payouts.get(tenantId, id)) return 'committed' as const
          throw error
        }),
    }),
  ],
  [
    'takes a lost answer as an acknowledgement',
    (payouts) => ({
      ...payouts,
      commit: (write) => payouts.commit(write).catch(() => 'committed' as const),
    }),
  ],
  [
    'cancels after a renewal whose answer was lost',
    (payouts) => ({ ...payouts, renew: (...claim) => payouts.renew(...claim).catch(() => true) }),
  ],
]

test.each(departures)('a process that %s departs from the model', async (_, wrap) => {
  const replay = replayFailOver({ ...draw, count: 20 }, wrap)
  await expect(replay).rejects.toThrow('the code departs from the model')
})
