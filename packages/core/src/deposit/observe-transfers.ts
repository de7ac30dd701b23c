import { recordEvent } from '../event/record-event.ts'
import { addressIntegrityError, addressKeysError } from '../top-up-address/address-mac.ts'
import { type ChainBlock, type TokenTransfer, unmatchedMax, type UnmatchedTransfer } from '../chain/chain.ts'
import { openDeposit } from './open-deposit.ts'
import type { ObservedTransfer } from './ports.ts'
import type { TopUpAddress } from '../top-up-address/ports.ts'
import { AddressKeysMissing } from './scan-claim.ts'
import type { ScanCounts, ScanPorts } from './scan.ts'

/** The transfers that blocks add to a scan. */
export type Observed = ScanCounts & { readonly observedTransfers: readonly ObservedTransfer[] }

/**
 * The transfers to top-up addresses in these blocks.
 *
 * The addresses are looked up after the blocks were read, so that an address is found that was created
 * before a transfer to it. A transfer to an address that fails its integrity check is observed too: it goes to
 * review when it is settled.
 *
 * @throws AddressKeysMissing when the check fails because this process lacks a key in use
 */
export async function observeTransfers(ports: ScanPorts, blocks: readonly ChainBlock[]): Promise<Observed> {
  const { addresses, reader } = ports
  const accounts = new Set(
    blocks.flatMap(({ transfers, unknownTokenTransfers }) =>
      [...transfers, ...unknownTokenTransfers].map(({ to }) => to),
    ),
  )
  const rows = accounts.size > 0 ? await addresses.match(reader.chain, Array.from(accounts)) : []
  const topUps = new Map(rows.map((row) => [row.account, row]))
  const observedTransfers: ObservedTransfer[] = []
  const unmatched: UnmatchedTransfer[] = []
  const received = new Set<TopUpAddress>()
  for (const block of blocks) {
    for (const { to, txHash, contract } of block.unknownTokenTransfers) {
      const topUp = topUps.get(to)
      if (topUp) unmatched.push(unmatchedAt(topUp, { kind: 'unknown_token', txHash, contract }))
    }
    for (const transfer of block.transfers) {
      const topUp = topUps.get(transfer.to)
      if (!topUp) continue
      received.add(topUp)
      const { txHash, value } = transfer
      if (value > 0n) observedTransfers.push(observe(ports, block, transfer, topUp))
      else unmatched.push(unmatchedAt(topUp, { kind: 'zero_value', txHash, contract: null }))
    }
  }
  await checkIntegrity(ports, received)
  const unknownTokenTransfers = unmatched.filter(({ kind }) => kind === 'unknown_token').length
  return {
    observedTransfers,
    transfers: observedTransfers.length,
    unknownTokenTransfers,
    zeroValue: unmatched.length - unknownTokenTransfers,
    unmatched: unmatched.slice(0, unmatchedMax),
  }
}

const unmatchedAt = (
  { tenantId, address }: TopUpAddress,
  about: Pick<UnmatchedTransfer, 'kind' | 'txHash' | 'contract'>,
): UnmatchedTransfer => ({ ...about, tenantId, address })

/** Raises an alert for each address that fails its check. */
async function checkIntegrity(ports: ScanPorts, topUps: Iterable<TopUpAddress>): Promise<void> {
  const { addressMacKeys, addressSource, raiseAlert } = ports
  const failing = Array.from(topUps).flatMap((topUp) => {
    const detail = addressIntegrityError(addressMacKeys, addressSource, topUp)
    return detail === null ? [] : [{ topUp, detail }]
  })
  if (failing.length === 0) return
  const keysError = await addressKeysError(ports)
  if (keysError !== null) throw new AddressKeysMissing(keysError)
  for (const { topUp, detail } of failing) {
    const { tenantId, address: subject } = topUp
    raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject, detail })
  }
}

function observe(ports: ScanPorts, block: ChainBlock, transfer: TokenTransfer, topUp: TopUpAddress): ObservedTransfer {
  const at = ports.now()
  const fromAddress = ports.format.format(transfer.from)
  const step = openDeposit(transfer, topUp, { id: ports.ids.next('dep', at), fromAddress, at })
  // The chain's clock may be ahead: an event must not occur later than it is recorded.
  const occurredAt = block.at < at ? block.at : at
  const event = recordEvent(ports, { type: step.event, occurredAt, data: step.deposit }, () => step.deposit)
  return { step: { ...step, event }, sender: transfer.from, block: block.number, expiresAt: transfer.expiresAt }
}
