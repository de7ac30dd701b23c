import { usdt } from '@quipu/core'
import {
  type SweepAddress,
  type SweepBatch,
  type SweepPlan,
  sweepProblems,
  sweepStatuses,
  type SweepTransfer,
} from '@quipu/core/operator'
import { anyId, anyInstant, anyText, anyUsdt } from '@quipu/contracts'
import fc from 'fast-check'

const anyHash = fc.stringMatching(/^[0-9a-f]{64}$/)
const anyAccount = fc.stringMatching(/^[0-9a-f]{40}$/)
const anyAddressText = fc.stringMatching(/^T[1-9A-HJ-NP-Za-km-z]{33}$/)
const anySun = fc.bigInt({ min: 0n, max: 10n ** 12n })

/** An address whose sweeps took at most what it received. */
export const anySweepAddress: fc.Arbitrary<SweepAddress> = fc
  .record({
    tenantId: anyId('ten'),
    account: anyAccount,
    address: anyAddressText,
    index: fc.nat(),
    createdAt: anyInstant,
    left: anyUsdt,
    swept: anyUsdt,
    hasOpenReview: fc.boolean(),
    liveTransferId: fc.option(anyId('swp')),
  })
  .map(({ left, ...address }) => ({ ...address, received: usdt(address.swept.minor + left.minor) }))

const anySweepTransfer: fc.Arbitrary<SweepTransfer> = fc.record({
  id: anyId('swp'),
  batchId: anyId('swb'),
  account: anyAccount,
  address: anyAddressText,
  index: fc.nat(),
  amount: anyUsdt,
  energy: fc.bigInt({ min: 0n, max: 10n ** 9n }),
  feeLimit: anySun,
  trxNeeded: anySun,
  trxMissing: anySun,
  txHash: anyHash,
  rawHex: fc.stringMatching(/^(?:[0-9a-f]{2}){1,8}$/),
  transaction: anyHash.map((txID) => JSON.stringify({ txID, raw_data: {} })),
  expiresAt: anyInstant,
  status: fc.constantFrom(...sweepStatuses),
  signature: fc.option(fc.stringMatching(/^[0-9a-f]{130}$/)),
  sentAt: fc.option(anyInstant),
  problem: fc.option(fc.constantFrom(...sweepProblems)),
  endedAt: fc.option(anyInstant),
})

const anySweepBatch: fc.Arbitrary<SweepBatch> = fc.record({
  id: anyId('swb'),
  chain: fc.constant('tron' as const),
  treasury: fc.record({ account: anyAccount, address: anyAddressText }),
  threshold: anyUsdt,
  createdBy: anyText,
  createdAt: anyInstant,
  expiresAt: anyInstant,
})

export const anySweepPlan: fc.Arbitrary<SweepPlan> = fc.record({
  batch: anySweepBatch,
  transfers: fc.array(anySweepTransfer, { minLength: 1, maxLength: 4 }),
})
