import { newTopUp, someInstant, topUpMaker, credentialOf } from '@quipu/contracts'
import { expect, test } from 'vitest'
import { doesWait } from '../test/other-session.fixture.ts'
import { useStoreDatabase } from '../test/store-database.fixture.ts'
import { postgresTopUpAddressStore } from './top-up-address-store.ts'

const opened = useStoreDatabase()

test('an address that is retired while its tenant asks for it is answered, and then retired', async () => {
  const { harness, database } = opened()
  const { id: tenantId } = await harness.newTenant()
  const inUse = await newTopUp(harness.stores, tenantId)
  let retiring: Promise<unknown> | undefined
  const { ensure } = postgresTopUpAddressStore({
    ...database,
    transaction: (work) =>
      database.transaction((query) =>
        work(async (statement, values) => {
          if (statement.name === 'top_up_address.find_in_use') {
            const by = { ...credentialOf('ana'), at: someInstant }
            retiring = postgresTopUpAddressStore(database).retire(tenantId, 'tron', by)
            await doesWait(harness.sql, retiring)
          }
          return query(statement, values)
        }),
      ),
  })
  expect(await ensure(tenantId, 'tron', topUpMaker(tenantId))).toEqual(inUse)
  expect(await retiring).toBe('committed')
})
