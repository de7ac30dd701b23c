import { adjustWallet, type OpenHarness, statementStoreContract } from '@quipu/contracts'
import { usdt } from '@quipu/core'
import { afterAll, expect, test } from 'vitest'
import { clientConfig, withConnection } from '../connection/connection.ts'
import { checkpointBalances } from '../ledger/checkpoint-balances.ts'
import { rowsReadBy } from '../test/reach.fixture.ts'
import { reusedStores } from '../test/reused-stores.fixture.ts'
import { openStoreHarness, sqlOf } from '../test/stores.fixture.ts'
import { statementStatements } from './statement-store.ts'

const reused = reusedStores()
afterAll(reused.drop)

/** Stores that add all possible checkpoints before each reading of balances. */
const openCheckpointed: OpenHarness = async () => {
  const reopened = await reused.open()
  const { statements } = reopened
  const balancesBefore: typeof statements.balancesBefore = async (tenantId, instants) => {
    await checkpointBalances(reopened.url, { size: 2 })
    return statements.balancesBefore(tenantId, instants)
  }
  return { ...reopened, statements: { ...statements, balancesBefore } }
}
statementStoreContract('PostgreSQL with balance checkpoints', openCheckpointed, { runs: 10 })

test('a balance and a page read no more rows for a longer log', async () => {
  const harness = await openStoreHarness()
  const tenantId = await harness.newWallet(usdt(0n))
  for (let n = 0; n < 200; n++)
    await adjustWallet(harness.stores, {
      id: harness.ids.uuid(new Date()),
      tenantId,
      direction: 'in',
      amount: usdt(1n),
      reason: 'test',
      actor: 'ana',
    })
  await checkpointBalances(harness.stores.url, { size: 20 })
  const rowsOf = (name: string, values: readonly unknown[]): Promise<number> =>
    withConnection(clientConfig({ url: harness.stores.url }), (client) => {
      const text = statementStatements.find((statement) => statement.name === name)?.text ?? ''
      const read = () => client.query(text, [...values])
      return rowsReadBy(sqlOf(client), '^(payout_end|funding_entry)', read)
    })
  const [now, tomorrow] = [new Date(Date.now() + 60_000), new Date(Date.now() + 86_400_000)]
  const balance = await rowsOf('statement.balances_before', [tenantId, [now]])
  expect(balance).toBeLessThan(3 * 20)
  const page = await rowsOf('statement.entries', [tenantId, new Date(0), 0n, tomorrow, 10])
  expect(page).toBeGreaterThanOrEqual(10)
  expect(page).toBeLessThan(4 * 10)
  await harness.close()
})
