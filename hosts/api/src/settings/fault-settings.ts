import { defaultFaultLimits, type FaultLimits, type LastingSeconds } from '@quipu/core/operator'
import { clockDifferenceMaxMs, whole } from '@quipu/runtime'
import { z } from 'zod'

/** From when on the API alerts what stands, is missing or fails. */
export const faultSettings = {
  PROCESS_GONE_SECONDS: whole(15, 3_600)
    .default(defaultFaultLimits.processGoneSeconds)
    .describe('Silence after which a process has gone; also how long no worker may run.'),
  SCAN_BEHIND_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.scanBehindSeconds)
    .describe('Age of the newest scanned block at which a scan stands.'),
  LEDGER_UNCHECKED_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.ledgerUncheckedSeconds)
    .describe(
      'Age of the oldest check of a wallet at which the ledger check stands. Raise it from 15,000 wallets on.',
    ),
  NOTICES_BEHIND_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.noticesBehindSeconds)
    .describe('Age of the oldest notice to a technical contact at which notices stand.'),
  RATE_FAULT_SECONDS: whole(0, 3_600)
    .default(60)
    .describe('How long a source of rates fails, or the sources disagree, before an alert.'),
}

const schema = z.object(faultSettings)
type FaultSettings = z.output<typeof schema>

export const faultLimits = (settings: FaultSettings): FaultLimits => ({
  processGoneSeconds: settings.PROCESS_GONE_SECONDS,
  scanBehindSeconds: settings.SCAN_BEHIND_SECONDS,
  ledgerUncheckedSeconds: settings.LEDGER_UNCHECKED_SECONDS,
  noticesBehindSeconds: settings.NOTICES_BEHIND_SECONDS,
  clockApartMs: clockDifferenceMaxMs,
})

export const faultLasting = ({ RATE_FAULT_SECONDS: seconds }: FaultSettings): LastingSeconds => ({
  RATE_SOURCE_FAILED: seconds,
  RATE_SOURCES_DISAGREE: seconds,
  RATE_UNAVAILABLE: seconds,
})
