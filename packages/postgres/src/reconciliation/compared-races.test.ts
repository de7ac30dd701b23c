import { usdt } from '@quipu/core'
import { paidAnswer } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { useStoreDatabase } from '../test/store-database.fixture.ts'
import { postgresComparedRecords } from './compared-records.ts'

const opened = useStoreDatabase()

test('a payout that is settled while it is searched for is found', async () => {
  const { harness, database } = opened()
  const tenantId = await harness.newWallet(usdt(10n))
  const payout = await harness.newPayout(await harness.newQuote(tenantId, { source: usdt(10n) }))
  let queries = 0
  const { findPayments } = postgresComparedRecords({
    ...database,
    query: async (statement, values) => {
      if (++queries === 2) await harness.stores.payouts.commit(harness.settleCommit(payout, paidAnswer(payout)))
      return database.query(statement, values)
    },
  })
  expect(await findPayments([payout.id])).toMatchObject([{ payoutId: payout.id, tenantId, status: 'completed' }])
})
