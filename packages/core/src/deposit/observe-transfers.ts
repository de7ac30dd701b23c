import { recordEvent } from '../event/record-event.ts'
import type { ChainAccount, ChainBlock, TokenTransfer } from './chain.ts'
import type { ObservedTransfer, TopUpAddress } from './ports.ts'
import type { Counts, ScanPorts } from './scan.ts'
import { addressIntegrityError } from './address-mac.ts'
import { openDeposit } from './open-deposit.ts'

/**
 * The transfers to top-up addresses in these blocks.
 *
 * The addresses are looked up after the blocks were read, so that none is missed that was created
 * before a transfer to it. A row of theirs is believed only if its key derives it and its seal fits.
 */
export async function observeTransfers(
  ports: ScanPorts,
  blocks: readonly ChainBlock[],
): Promise<Counts & { readonly observedTransfers: readonly ObservedTransfer[] }> {
  const { addresses, reader } = ports
  const accounts = new Set<ChainAccount>()
  for (const { transfers, unknownTokenRecipients } of blocks) {
    for (const { to } of transfers) accounts.add(to)
    for (const account of unknownTokenRecipients) accounts.add(account)
  }
  const rows = accounts.size > 0 ? await addresses.match(reader.chain, Array.from(accounts)) : []
  const ours = new Map(rows.map((row) => [row.account, row]))
  const believed = believer(ports)
  const observedTransfers: ObservedTransfer[] = []
  let [zeroValue, unknownTokenTransfers] = [0, 0]
  for (const block of blocks) {
    unknownTokenTransfers += block.unknownTokenRecipients.filter((account) =>
      ours.has(account),
    ).length
    for (const transfer of block.transfers) {
      const topUp = ours.get(transfer.to)
      if (!topUp) continue
      if (transfer.value === 0n) zeroValue++
      else if (believed(topUp)) observedTransfers.push(observe(ports, block, transfer, topUp))
    }
  }
  return {
    observedTransfers,
    transfers: observedTransfers.length,
    zeroValue,
    unknownTokenTransfers,
  }
}

/** Tells of each row that is not believed, once. */
function believer({
  addressMacKey,
  source,
  raiseAlert,
}: ScanPorts): (topUp: TopUpAddress) => boolean {
  const known = new Map<TopUpAddress, boolean>()
  return (topUp) => {
    const before = known.get(topUp)
    if (before !== undefined) return before
    const why = addressIntegrityError(addressMacKey, source, topUp)
    known.set(topUp, why === null)
    if (why !== null) {
      const { tenantId, address: subject } = topUp
      raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject, detail: why })
    }
    return why === null
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
  // A chain's clock may be ahead of ours. An event's is not, or what comes next would seem older.
  const occurredAt = block.at < at ? block.at : at
  const event = recordEvent(ports, { type: step.event, occurredAt, data: step.deposit })
  return {
    step: { ...step, event },
    sender: transfer.from,
    block: block.number,
    expiresAt: transfer.expiresAt,
  }
}
