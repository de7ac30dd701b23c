import { Unavailable } from '@quipu/core'
import { newSweepAddress, sweepPlan, credentialOf } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { openTransaction, untilWaiting } from '../test/other-session.fixture.ts'
import { useStoreDatabase } from '../test/store-database.fixture.ts'
import { postgresSweepStore } from './sweep-store.ts'

const opened = useStoreDatabase()

test('a plan whose first insertion is committed while it is repeated is answered as stored', async () => {
  const { harness, database } = opened()
  const plan = sweepPlan(harness.world, [await newSweepAddress(harness.world)])
  const lost = await openTransaction(harness.stores.url)
  let tries = 0
  const { insert } = postgresSweepStore({
    ...database,
    write: async (statement, values) => {
      if (++tries === 1) {
        await lost.sql(statement.text, [...values])
        throw new Unavailable('store', 'the answer was lost')
      }
      const repeated = database.write<never>(statement, values)
      await untilWaiting(harness.sql, 1, repeated)
      await lost.commit()
      return repeated
    },
  })
  expect(await insert(plan, credentialOf('ada'))).toEqual(plan.transfers)
})
