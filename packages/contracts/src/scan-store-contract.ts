import { describe } from 'vitest'
import type { OpenHarness } from './harness.ts'
import { cursorContract } from './scan-store/cursor.ts'
import { leaseContract } from './scan-store/lease.ts'
import { observedTransfersContract } from './scan-store/observed-transfers.ts'
import { solidContract } from './scan-store/solid.ts'

/** What every `ScanStore` must do, as tests. What becomes of what was seen is in `depositStoreContract`. */
export function scanStoreContract(name: string, open: OpenHarness): void {
  describe(`scan store in ${name}`, () => {
    leaseContract(open)
    cursorContract(open)
    observedTransfersContract(open)
    solidContract(open)
  })
}
