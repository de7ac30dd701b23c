import {
  credentialOf,
  depositBuilders,
  newKey,
  newSend,
  newSweepPlan,
  signatureOf,
  someOperator,
} from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { expect, test } from 'vitest'
import { eventsHappen, everything, newReceiver, recordAll } from './deliveries.fixture.ts'
import { doesWait, openOtherSession, openTransaction } from './other-session.fixture.ts'
import { useStoreHarness } from './stores.fixture.ts'

// A claim does not wait for what another transaction holds: it leaves it to later claims.

const harness = useStoreHarness()
const idsOf = (rows: readonly { readonly id: string }[]): string[] => rows.map(({ id }) => id)
const dueDeliveries = () => harness.stores.deliveries.claimDue(everything)
const dueReceiver = async (count: number): Promise<string> => {
  const [tenantId, id] = await newReceiver(harness)
  await harness.sql(eventsHappen, [tenantId, count])
  return id
}

type Case = {
  /** Makes something due that is held, and something that is free. @returns their ids */
  readonly prepare: () => Promise<readonly string[]>
  /** Holds the first one. */
  readonly hold: string
  /** @returns the ids of all that is due */
  readonly claim: () => Promise<readonly (string | undefined)[]>
}
const cases: Readonly<Record<string, Case>> = {
  'the notices, whose cursor is held': {
    prepare: async () => {
      const key = newKey(harness, (await harness.newTenant()).id)
      await harness.stores.apiKeys.issue(key, credentialOf('ada'))
      return [key.id]
    },
    hold: 'select from quipu.notice_cursor where $1::text is not null for update',
    claim: async () => [(await harness.stores.notices.claim(60))?.source.key?.id],
  },
  'the payouts, while another worker claims them': {
    prepare: async () => {
      const quote = await harness.newQuote(await harness.newWallet(usdt(9n)), { source: usdt(1n) })
      return [(await harness.newPayout(quote, { leaseSeconds: 0 })).id]
    },
    hold: `select pg_advisory_xact_lock(hashtextextended('quipu.claim_payouts', 0)) where $1::text is not null`,
    claim: async () => idsOf((await harness.stores.payouts.claimDue(9, 60)).map(({ payout }) => payout)),
  },
  'a deposit': {
    prepare: async () => idsOf(await (await depositBuilders(harness.world)).due({}, {})),
    hold: 'select from quipu.deposit where id = $1 for update',
    claim: async () => idsOf((await harness.stores.deposits.claimDue(9, 60)).map(({ deposit }) => deposit)),
  },
  'a send of the faucet': {
    prepare: async () => {
      const { id } = await harness.newTenant()
      const send = () => newSend(harness.world, id, { amount: usdt(1n), leaseSeconds: 0 })
      return idsOf([await send(), await send()])
    },
    hold: 'select from quipu.faucet_send where id = $1 for update',
    claim: async () => idsOf((await harness.stores.faucet.claimDue(9, 60)).map(({ send }) => send)),
  },
  'a transfer of a sweep': {
    prepare: async () => {
      const { batch, transfers } = await newSweepPlan(harness.world, 2)
      const signatures = transfers.map(({ id, account, txHash }) => ({
        transferId: id,
        signature: signatureOf(account, txHash),
      }))
      await harness.stores.sweeps.sign(batch.id, signatures, someOperator)
      return idsOf(transfers)
    },
    hold: 'select from quipu.sweep_transfer where id = $1 for update',
    claim: async () => idsOf((await harness.stores.sweeps.claimDue(9, 60)).map(({ transfer }) => transfer)),
  },
  'an open delivery': {
    prepare: async () => {
      await dueReceiver(2)
      const claimed = await dueDeliveries()
      await recordAll(harness.stores.deliveries, claimed, { type: 'retry', inMs: 0 })
      return claimed.map(({ claim }) => claim.eventId)
    },
    hold: 'select from quipu.delivery_open where event_id = $1 for update',
    claim: async () => (await dueDeliveries()).map(({ claim }) => claim.eventId),
  },
  'a run whose lease has expired': {
    prepare: async () => {
      const ids = [await dueReceiver(1), await dueReceiver(1)]
      await harness.stores.deliveries.claimDue({ ...everything, leaseSeconds: 0 })
      return ids
    },
    hold: 'select from quipu.delivery_run where endpoint_id = $1 for update',
    claim: async () => {
      await using worker = await openOtherSession(harness.stores.url)
      await worker.sql('select quipu.open_lost_runs(now())') // Stores do so once a second.
      return (await dueDeliveries()).map(({ claim }) => claim.endpointId)
    },
  },
}

test.each(Object.entries(cases))('a claim leaves %s', async (_, { prepare, hold, claim }) => {
  const [held = '', ...free] = await prepare()
  const holder = await openTransaction(harness.stores.url)
  await holder.sql(hold, [held])
  const claiming = claim().then((ids) => ids.filter((id) => id !== undefined))
  const isWaiting = await doesWait(harness.sql, claiming)
  await holder.commit()
  expect([isWaiting, (await claiming).toSorted()]).toEqual([false, free.toSorted()])
  expect(await claim()).toContain(held)
})
