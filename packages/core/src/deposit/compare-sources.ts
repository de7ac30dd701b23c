import type { RaiseAlert } from '../alert.ts'
import { toDecimal } from '../money.ts'
import type { AddressFormat, AddressSource, ChainBlock, ChainReader } from './chain.ts'
import type { Deposit } from './deposit.ts'
import type { ClaimedDeposit } from './ports.ts'
import { addressIntegrityError } from './address-mac.ts'

export type CompareSourcesPorts = {
  readonly reader: Pick<ChainReader, 'block'>
  /** A second provider, which must show large deposits, and those above the limits of one provider. */
  readonly verifier?: Pick<ChainReader, 'block'>
  readonly source: AddressSource
  /** As in `addressMac`. */
  readonly addressMacKey: Uint8Array
  readonly format: Pick<AddressFormat, 'format'>
  readonly raiseAlert: RaiseAlert
}

/** A source that shows another transfer this often does not fail for a moment only. @source assumed */
const readingsToDisagree = 3

/**
 * Reads the transfer of a recorded deposit again from the chain, and checks the address it went to.
 *
 * The record alone credits nothing: whoever can only write to the database cannot make the node show
 * a transfer, nor a top-up address that fits its seal.
 *
 * @param asksVerifier  whether the second provider must show the transfer too, if there is one
 * @returns `later` while a source does not have the block yet, or shows another transfer for the first times
 * @throws Unavailable when a source does not answer
 */
export async function compareSources(
  ports: CompareSourcesPorts,
  claimed: ClaimedDeposit,
  asksVerifier: boolean,
): Promise<'agree' | 'disagree' | 'later'> {
  const { reader, verifier, source, addressMacKey, format, raiseAlert } = ports
  const { deposit, solid, sender, topUp, claimCount } = claimed
  if (solid.type === 'gone') return 'agree'
  const { tenantId, id: subject } = deposit
  const why = addressIntegrityError(addressMacKey, source, topUp)
  if (why !== null) {
    raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address, detail: why })
    return 'disagree'
  }
  const sources = [
    ['the node', reader],
    ...(verifier && asksVerifier ? [['the second provider', verifier] as const] : []),
  ] as const
  const blocks = await Promise.all(sources.map(([, { block }]) => block('solid', solid.block)))
  if (blocks.includes(undefined)) return 'later'
  const shown = blocks.map((block) => block && showsTransfer(block, claimed))
  const denying = shown.indexOf(false)
  if (denying === -1) return 'agree'
  if (claimCount < readingsToDisagree) return 'later'
  const detail =
    `${sources[denying]?.[0]} shows no such transfer in solid block ${solid.block}, ` +
    `from ${format.format(sender)}; the deposit goes to review`
  raiseAlert({ code: 'SOURCES_DISAGREE', tenantId, subject, detail })
  return 'disagree'
}

/** A transfer that the database records, and where. */
export type RecordedTransfer = Pick<ClaimedDeposit, 'sender' | 'topUp'> & {
  readonly deposit: Pick<Deposit, 'txHash' | 'transferIndex' | 'amount'>
}

/** Whether the block has this transfer: transaction, place, sender, recipient and amount. */
const showsTransfer = (
  { transfers }: Pick<ChainBlock, 'transfers'>,
  { deposit, sender, topUp }: RecordedTransfer,
): boolean =>
  transfers.some(
    ({ txHash, index, from, to, value }) =>
      txHash === deposit.txHash &&
      index === deposit.transferIndex &&
      from === sender &&
      to === topUp.account &&
      value === deposit.amount.minor,
  )

export type CreditFault = {
  readonly detail: string
  /** The node does not have the block: it may be behind. */
  readonly isAbsent: boolean
}

export type CreditFaultPorts = {
  readonly reader: Pick<ChainReader, 'block'>
  readonly source: AddressSource
  /** As in `addressMac`. */
  readonly addressMacKey: Uint8Array
}

/**
 * Why a credited deposit has no source on the chain; null when it has one.
 *
 * @throws Unavailable when the node does not answer
 */
export async function creditFault(
  {
    reader,
    source,
    addressMacKey,
  }: Pick<CompareSourcesPorts, 'reader' | 'source' | 'addressMacKey'>,
  credit: RecordedTransfer & { readonly block: number },
): Promise<CreditFault | null> {
  const why = addressIntegrityError(addressMacKey, source, credit.topUp)
  if (why !== null)
    return {
      detail: `it was credited at the address ${credit.topUp.address}: ${why}`,
      isAbsent: false,
    }
  const block = await reader.block('solid', credit.block)
  if (block && showsTransfer(block, credit)) return null
  const amount = toDecimal(credit.deposit.amount)
  const detail = `${amount} USDT were credited, and solid block ${credit.block} shows no such transfer`
  return { detail, isAbsent: block === undefined }
}
