export * from './arbitraries.ts'
export * from './given.ts'
export * from './harness.ts'
export * from './payout-store-contract.ts'
