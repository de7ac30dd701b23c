import type { Alert, RaiseAlert } from '../alert.ts'
import { addressKeysError } from '../top-up-address/address-mac.ts'
import type { ChainReader, ChainView } from '../chain/chain.ts'
import type { ClaimedScan } from './ports.ts'
import { reportUnread } from './read-ahead.ts'
import { nothingScanned, type Scan, type ScanPoll, type ScanPorts, type ScanSettings } from './scan.ts'

type PolledScan = Partial<ScanPoll> & Pick<ScanPoll, 'state'>

/** The ports of one scan, which reports each block that it cannot read once: it has stopped there. */
export function withReports(ports: ScanPorts, scanned: ChainView): ScanPorts {
  const { reader, raiseAlert } = ports
  const { chain } = reader
  const block = reportUnread(reader, (number, { message }) => {
    const subject = `${chain} ${scanned} block ${number}`
    const detail = `the scan has stopped here: ${message}`
    raiseAlert({ code: 'BLOCK_UNREADABLE', tenantId: null, subject, detail })
  })
  const head: ChainReader['head'] = (view) => reader.head(view)
  const ref: ChainReader['ref'] = (view, number) => reader.ref(view, number)
  const blockOf: ChainReader['blockOf'] = (txHash) => reader.blockOf(txHash)
  return { ...ports, reader: { chain, block, blockOf, head, ref } }
}

/** Thrown while a scan observes blocks: it must not advance past transfers that it cannot check. */
export class AddressKeysMissing extends Error {}

/**
 * Polls of one view. Each claims the scan, and always yields it afterwards; none starts before this process has
 * proven that it can check the top-up addresses. A halted scan raises one alert until it has read blocks that link:
 * another process may advance it meanwhile, so that each poll meets another block.
 *
 * @param poll `halted` raises the alert of a poll that ends `contradicted`
 */
export function scanBy(
  ports: ScanPorts,
  view: ChainView,
  { leaseSeconds }: ScanSettings,
  poll: (claimed: ClaimedScan, halted: RaiseAlert) => Promise<PolledScan>,
): Scan {
  const { scans, reader, raiseAlert } = ports
  const empty = { ...nothingScanned, lagBlocks: undefined }
  let hasKeys = false
  let raised: Alert['code'] | undefined
  const halted = (alert: Alert): void => {
    if (raised !== alert.code) raiseAlert(alert)
    raised = alert.code
  }
  const keysMissing = (detail: string): ScanPoll => {
    hasKeys = false
    halted({ code: 'ADDRESS_KEYS_MISSING', tenantId: null, subject: reader.chain, detail })
    return { ...empty, state: 'keys_missing' }
  }
  return async () => {
    const keysError = hasKeys ? null : await addressKeysError(ports)
    if (keysError !== null) return keysMissing(keysError)
    hasKeys = true
    const claimed = await scans.claim(reader.chain, view, leaseSeconds)
    if (!claimed) return { ...empty, state: 'leased' }
    try {
      const polled = await poll(claimed, halted)
      if (polled.state !== 'contradicted' && (polled.blocks ?? 0) > 0) raised = undefined
      return { ...empty, ...polled }
    } catch (error) {
      if (error instanceof AddressKeysMissing) return keysMissing(error.message)
      throw error
    } finally {
      // Safe to ignore: the lease expires.
      await scans.yieldClaim(claimed.claim).catch(() => undefined)
    }
  }
}
