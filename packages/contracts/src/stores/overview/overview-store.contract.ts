import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { listAllPayoutsTests } from './list-all-payouts.contract.ts'
import { findRecordsTests, type FindStores } from './find-records.contract.ts'
import { type EventStores, listAllEventsTests } from './list-all-events.contract.ts'
import { payoutActivityTests } from './payout-activity.contract.ts'
import { readPayoutRecordTests } from './read-payout-record.contract.ts'

/** The contract of an `OverviewStore`. */
export function overviewStoreContract(name: string, open: OpenHarness<FindStores | EventStores | 'apiKeys'>): void {
  describe(`overview store in ${name}`, () => {
    listAllPayoutsTests(open)
    payoutActivityTests(open)
    readPayoutRecordTests(open)
    findRecordsTests(open)
    listAllEventsTests(open)
  })
}
