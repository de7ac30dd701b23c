import type { RecordedTransfer, TopUpAddressStore } from '../top-up-address/ports.ts'
import type { RaiseAlert } from '../alert.ts'
import type { KeyRing } from '../key-ring/key-ring.ts'
import { toDecimal } from '../money.ts'
import { addressIntegrityError, addressKeysError } from '../top-up-address/address-mac.ts'
import type { AddressFormat, AddressSource, ChainBlock, ChainReader } from '../chain/chain.ts'
import type { ClaimedDeposit } from './ports.ts'

/** Why nothing can be decided yet. */
export type Undecided = { readonly problem: string }

type CompareSourcesPorts = {
  readonly addresses: Pick<TopUpAddressStore, 'keyUse' | 'sample'>
  readonly reader: Pick<ChainReader, 'block'>
  readonly verifier?: Pick<ChainReader, 'block'>
  readonly addressSource: AddressSource
  readonly addressMacKeys: KeyRing
  readonly format: Pick<AddressFormat, 'format'>
  readonly raiseAlert: RaiseAlert
}

/** A source that misses a transfer in this many claims has no passing fault. */
const claimsToDisagree = 3

/**
 * Reads a recorded deposit's transfer again from the chain, and checks the integrity of its address.
 *
 * A row alone credits nothing: write access to the database can neither make the node show a transfer nor
 * compute an address MAC.
 *
 * @param asksVerifier  whether the second provider, if there is one, must show the transfer too
 * @returns a problem while a source does not have the block, or misses the transfer in the first claims, or while
 *   the key ring of this process lacks a key in use; `not_verified` when the address alone fails its check
 * @throws Unavailable when a source does not answer
 */
export async function compareSources(
  ports: CompareSourcesPorts,
  claimed: ClaimedDeposit,
  asksVerifier: boolean,
): Promise<'agree' | 'disagree' | 'not_verified' | Undecided> {
  const { reader, verifier, addressSource, addressMacKeys, format, raiseAlert } = ports
  const { deposit, solid, sender, topUp, claimCount } = claimed
  if (solid.type === 'gone') return 'agree'
  const { tenantId, id: subject } = deposit
  const integrityError = addressIntegrityError(addressMacKeys, addressSource, topUp)
  if (integrityError !== null) {
    const keysError = await addressKeysError(ports)
    if (keysError !== null) return { problem: keysError }
    const detail = integrityError
    if (deposit.status === 'pending')
      raiseAlert({ code: 'ADDRESS_MAC_MISMATCH', tenantId, subject: topUp.address, detail })
    return 'not_verified'
  }
  const providers = [
    ['the node', reader],
    ...(verifier && asksVerifier ? [['the second provider', verifier] as const] : []),
  ] as const
  const blocks = await Promise.all(providers.map(([, { block }]) => block('solid', solid.block)))
  const lacking = blocks.indexOf(undefined)
  if (lacking !== -1) return { problem: `${providers[lacking]?.[0]} does not have solid block ${solid.block} yet` }
  const shown = blocks.map((block) => block && showsTransfer(block, claimed))
  const denying = shown.indexOf(false)
  if (denying === -1) return 'agree'
  const denial = `${providers[denying]?.[0]} shows no such transfer in solid block ${solid.block}, `
  if (claimCount < claimsToDisagree) return { problem: `${denial}it is read again` }
  const detail = `${denial}from ${format.format(sender)}; the deposit goes to review`
  raiseAlert({ code: 'SOURCES_DISAGREE', tenantId, subject, detail })
  return 'disagree'
}

/** Whether the block has this transfer: transaction, index, sender, recipient and amount. */
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

/** Why a credit has no source on the chain. */
export type CreditFault = {
  readonly detail: string
  /** The node does not have the block: it may be behind. */
  readonly isAbsent: boolean
}

/** The ports of `creditFault`. */
export type CreditFaultPorts = {
  readonly reader: Pick<ChainReader, 'block'>
  readonly addressSource: AddressSource
  /** The key of the top-up addresses' MACs, as in `ensureTopUpAddress`. */
  readonly addressMacKeys: KeyRing
}

/**
 * Compares a credit with the chain.
 *
 * @returns why the credit has no source on the chain; null when it has one
 * @throws Unavailable when the node does not answer
 * @example
 * ```ts
 * const topUp = await ensureTopUpAddress(ports, 'tron')(tenant.id)
 * const transfer = chain.transfer(topUp.account, usdt(25_000_000n))
 * const deposit = { txHash: transfer.txHash, transferIndex: 0, amount: usdt(26_000_000n) }
 * const credit = { deposit, sender: transfer.from, topUp, block: transfer.block }
 * const fault = await creditFault(ports, credit)
 * console.log(fault?.isAbsent) // false
 * ```
 */
export async function creditFault(
  { reader, addressSource, addressMacKeys }: CreditFaultPorts,
  credit: RecordedTransfer & { readonly block: number },
): Promise<CreditFault | null> {
  const integrityError = addressIntegrityError(addressMacKeys, addressSource, credit.topUp)
  if (integrityError !== null)
    return { detail: `it was credited at the address ${credit.topUp.address}: ${integrityError}`, isAbsent: false }
  const block = await reader.block('solid', credit.block)
  if (block && showsTransfer(block, credit)) return null
  const amount = toDecimal(credit.deposit.amount)
  const detail = `${amount} USDT were credited, and solid block ${credit.block} shows no such transfer`
  return { detail, isAbsent: block === undefined }
}
