import { describe } from 'vitest'
import type { OpenHarness } from '../../fixtures/harness.ts'
import { cursorContract } from './advance-scan.contract.ts'
import { leaseContract } from './claim-scan.contract.ts'
import { observedTransfersContract } from './observe-transfer.contract.ts'
import { solidContract } from './confirm-transfer.contract.ts'

/** What every `ScanStore` must do, as tests. What becomes of what was seen is in `depositStoreContract`. */
export function scanStoreContract(name: string, open: OpenHarness): void {
  describe(`scan store in ${name}`, () => {
    leaseContract(open)
    cursorContract(open)
    observedTransfersContract(open)
    solidContract(open)
  })
}
