import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import type { Runs } from '../../fixtures/runs.ts'
import { acceptPayoutTests } from './accept-payout.contract.ts'
import { claimPayoutTests } from './claim-payout.contract.ts'
import { concurrentPayoutsTests } from './concurrent-payouts.contract.ts'
import { findPayoutTests } from './find-payout.contract.ts'
import { insertEndedPayoutTests } from './insert-ended-payout.contract.ts'
import { limitPayoutsTests } from './limit-payouts.contract.ts'
import { listPayoutsTests } from './list-payouts.contract.ts'
import { refuseCallerTests } from './refuse-caller.contract.ts'
import { settlePayoutTests } from './settle-payout.contract.ts'

type Needed = 'payouts' | 'quotes' | 'wallets' | 'fund'
type Referred = 'payouts' | 'quotes' | 'resolutions' | 'wallets' | 'proposals' | 'tenants' | 'apiKeys' | 'events'

/** The contract of a `PayoutStore`. `payoutReferencesContract` proves what needs more stores. */
export function payoutStoreContract(name: string, open: OpenHarness<Needed>, { runs = 50 }: Runs = {}): void {
  describe(`payout store in ${name}`, () => {
    acceptPayoutTests(open)
    settlePayoutTests(open)
    insertEndedPayoutTests(open)
    claimPayoutTests(open)
    listPayoutsTests(open)
    concurrentPayoutsTests(open, runs)
  })
}

/** The contract of a `PayoutStore` beside resolutions, limits of tenants and API keys. */
export function payoutReferencesContract(name: string, open: OpenHarness<Referred>, { runs = 50 }: Runs = {}): void {
  describe(`references of payouts in ${name}`, () => {
    findPayoutTests(open, runs)
    limitPayoutsTests(open, runs)
    refuseCallerTests(open)
  })
}

/** The part of it that only reads. */
export function payoutReadsContract(name: string, open: OpenHarness<Referred>, { runs = 50 }: Runs = {}): void {
  describe(`payouts read in ${name}`, () => {
    findPayoutTests(open, runs)
    listPayoutsTests(open)
  })
}
