/**
 * The API over memory stores and scripted chains, for tests of other hosts.
 *
 * @module @quipu/api/testing
 */
export { base64Token, callbackSecret, operatorToken, type TestApi, testApi } from './test/harness/api.fixture.ts'
export { ownWallet } from './test/harness/chain.fixture.ts'
export { depositMaker } from './test/harness/deposits.fixture.ts'
export type { TestTenant } from './test/harness/tenant.fixture.ts'
