/**
 * The fixtures that start processes and chains and onboard tenants, for tests and the laboratory.
 *
 * @module @quipu/local/testing
 */
export { askJson, type JsonReply } from './ask-json.ts'
export { readDocument, repository } from './test/documents/documents.fixture.ts'
export { chainEnvironment, solidLag, startChain } from './test/harness/chain.fixture.ts'
export { type HookReceiver, openHookReceiver } from './test/harness/hook-receiver.fixture.ts'
export { type Program, runCommand, sourceFlags, until } from './test/harness/process.fixture.ts'
export { type ApiUrls, apiUrlsOf, programDefaults, programsOf } from './test/harness/programs.fixture.ts'
export { startTestSqs, type TestSqs } from './test/harness/sqs.fixture.ts'
export { sweepOperator, treasury } from './test/harness/sweeps.fixture.ts'
export {
  approverToken,
  migrateWithOperators,
  onboard,
  operatorToken,
  type Order,
  type Payout,
} from './test/harness/tenant.fixture.ts'
