import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { advanceScanTests } from './advance-scan.contract.ts'
import { claimScanTests } from './claim-scan.contract.ts'
import { observeTransferTests } from './observe-transfer.contract.ts'
import { confirmTransferTests } from './confirm-transfer.contract.ts'

/** What every `ScanStore` must do, as tests. What becomes of what was seen is in `depositStoreContract`. */
export function scanStoreContract(name: string, open: OpenHarness): void {
  describe(`scan store in ${name}`, () => {
    claimScanTests(open)
    advanceScanTests(open)
    observeTransferTests(open)
    confirmTransferTests(open)
  })
}
