import { usdt } from '@quipu/core'
import { heldLockSeconds } from '@quipu/core/adapter'
import { defaultFaultLimits, type FaultLimits, type LastingSeconds } from '@quipu/core/operator'
import { clockDifferenceMaxMs, processFaultSettings, usdtAmount, whole } from '@quipu/runtime'
import { z } from 'zod'

/** Limits above which the API raises faults. */
export const faultSettings = {
  ...processFaultSettings,
  SCAN_BEHIND_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.scanBehindSeconds)
    .describe('Age of the newest scanned block above which a scan counts as halted. A solid block is a minute old.'),
  DEPOSITS_BEHIND_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.depositsBehindSeconds)
    .describe(
      'Age of the oldest deposit above which a provider counts as halted: solid blocks have it, and no worker could decide it.',
    ),
  LEDGER_UNCHECKED_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.ledgerUncheckedSeconds)
    .describe(
      'Age of the oldest check of a wallet above which the ledger check counts as halted. Well above LEDGER_CHECK_SECONDS; raise it from 15,000 wallets on.',
    ),
  NOTICES_BEHIND_SECONDS: whole(1, 86_400)
    .default(defaultFaultLimits.noticesBehindSeconds)
    .describe(
      'Age of the oldest notice to a technical contact, or alert to the gateway, at which they count as stopped.',
    ),
  REVIEW_WAIT_SECONDS: whole(60, 604_800)
    .default(defaultFaultLimits.reviewSeconds)
    .describe('Age of the oldest deposit in review above which it is alerted.'),
  REVIEW_ALERT_USDT: usdtAmount
    .default(usdt(defaultFaultLimits.reviewMicroUsdt))
    .describe('Sum of the deposits in review from which on they are alerted at once.'),
  RATE_FAULT_SECONDS: whole(0, 3_600)
    .default(60)
    .describe('How long a source of rates fails, or the sources disagree, before an alert.'),
}

const schema = z.object(faultSettings)
type FaultSettings = z.output<typeof schema>

/** @param given  a setting that is missing has its default */
export const faultLimits = (given: Partial<FaultSettings>): FaultLimits => limitsOf({ ...schema.parse({}), ...given })

const limitsOf = (settings: FaultSettings): FaultLimits => ({
  processMissingSeconds: settings.PROCESS_MISSING_SECONDS,
  scanBehindSeconds: settings.SCAN_BEHIND_SECONDS,
  depositsBehindSeconds: settings.DEPOSITS_BEHIND_SECONDS,
  ledgerUncheckedSeconds: settings.LEDGER_UNCHECKED_SECONDS,
  noticesBehindSeconds: settings.NOTICES_BEHIND_SECONDS,
  reviewSeconds: settings.REVIEW_WAIT_SECONDS,
  reviewMicroUsdt: settings.REVIEW_ALERT_USDT.minor,
  reconciledSeconds: defaultFaultLimits.reconciledSeconds,
  clockApartMs: clockDifferenceMaxMs,
})

export const faultLasting = ({ RATE_FAULT_SECONDS: seconds }: FaultSettings): LastingSeconds => ({
  RATE_SOURCE_FAILED: seconds,
  RATE_SOURCES_DISAGREE: seconds,
  RATE_UNAVAILABLE: seconds,
  // At each of several readings the same session holds it: no write of an operator takes that long.
  LOCK_HELD: heldLockSeconds,
  // A worker that is there compares within seconds of the start.
  PAYMENTS_UNCHECKED: 15,
})
