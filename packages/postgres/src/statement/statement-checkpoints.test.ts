import { type OpenHarness, statementStoreContract } from '@quipu/contracts'
import { afterAll } from 'vitest'
import { checkpointBalances } from '../ledger/checkpoint-balances.ts'
import { reusedStores } from '../test/reused-stores.fixture.ts'

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
