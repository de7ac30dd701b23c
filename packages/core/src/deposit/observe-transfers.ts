import { recordEvent } from '../event/record-event.ts'
import { addressIntegrityError } from './address-mac.ts'
import type { ChainAccount, ChainBlock, TokenTransfer } from './chain.ts'
import { openDeposit } from './open-deposit.ts'
import type { ObservedTransfer, TopUpAddress } from './ports.ts'
import type { ScanCounts, ScanPorts } from './scan.ts'

/**
 * The transfers to top-up addresses in these blocks.
 *
 * The addresses are looked up after the blocks were read, so that an address is found that was created
 * before a transfer to it. A row counts only if its index derives it and its MAC matches.
 */
export async function observeTransfers(
  ports: ScanPorts,
  blocks: readonly ChainBlock[],
): Promise<ScanCounts & { readonly observedTransfers: readonly ObservedTransfer[] }> {
  const { addresses, reader } = ports
  const accounts = new Set<ChainAccount>()
  for (const { transfers, unknownTokenRecipients } of blocks) {
    for (const { to } of transfers) accounts.add(to)
    for (const account of unknownTokenRecipients) accounts.add(account)
  }
  const rows = accounts.size > 0 ? await addresses.match(reader.chain, Array.from(accounts)) : []
  const topUps = new Map(rows.map((row) => [row.account, row]))
  const isIntact = integrityCheck(ports)
  const observedTransfers: ObservedTransfer[] = []
  let [zeroValue, unknownTokenTransfers] = [0, 0]
  for (const block of blocks) {
    unknownTokenTransfers += block.unknownTokenRecipients.filter((to) => topUps.has(to)).length
    for (const transfer of block.transfers) {
      const topUp = topUps.get(transfer.to)
      if (!topUp) continue
      if (transfer.value === 0n) zeroValue++
      else if (isIntact(topUp)) observedTransfers.push(observe(ports, block, transfer, topUp))
    }
  }
  const transfers = observedTransfers.length
  return { observedTransfers, transfers, zeroValue, unknownTokenTransfers }
}

/** Checks each row once, and raises an alert for one that fails. */
function integrityCheck({
  addressMacKeys,
  source,
  raiseAlert,
}: ScanPorts): (topUp: TopUpAddress) => boolean {
  const checked = new Map<TopUpAddress, boolean>()
  return (topUp) => {
    const before = checked.get(topUp)
    if (before !== undefined) return before
    const detail = addressIntegrityError(addressMacKeys, source, topUp)
    checked.set(topUp, detail === null)
    if (detail !== null) {
      const { tenantId, address: subject } = topUp
      raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject, detail })
    }
    return detail === null
  }
}

function observe(
  ports: ScanPorts,
  block: ChainBlock,
  transfer: TokenTransfer,
  topUp: TopUpAddress,
): ObservedTransfer {
  const at = ports.now()
  const fromAddress = ports.format.format(transfer.from)
  const step = openDeposit(transfer, topUp, { id: ports.ids.next('dep', at), fromAddress, at })
  // The chain's clock may be ahead: an event must not occur later than it is recorded.
  const occurredAt = block.at < at ? block.at : at
  const event = recordEvent(ports, { type: step.event, occurredAt, data: step.deposit })
  return {
    step: { ...step, event },
    sender: transfer.from,
    block: block.number,
    expiresAt: transfer.expiresAt,
  }
}
