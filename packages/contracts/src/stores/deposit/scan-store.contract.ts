import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { advanceScanTests } from './advance-scan.contract.ts'
import { claimScanTests } from './claim-scan.contract.ts'
import { confirmTransferTests } from './confirm-transfer.contract.ts'
import { observeTransferTests } from './observe-transfer.contract.ts'

type Needed = 'scans' | 'deposits' | 'addresses' | 'tenants' | 'wallets' | 'proposals' | 'events'

/** The contract of a `ScanStore`. `depositStoreContract` proves how its deposits are settled. */
export function scanStoreContract(name: string, open: OpenHarness<Needed>): void {
  describe(`scan store in ${name}`, () => {
    claimScanTests(open)
    advanceScanTests(open)
    observeTransferTests(open)
    confirmTransferTests(open)
  })
}
