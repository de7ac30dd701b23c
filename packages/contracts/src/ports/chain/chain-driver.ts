import { type Broadcaster, type ChainReader, type TransferSigner, usdt } from '@quipu/core'
import type { ChainAccount, ChainBlock, ChainView, SignedTransfer, TransferOrder } from '@quipu/core/adapter'
import type { SweepChain } from '@quipu/core/operator'
import type { Resource } from '../../fixtures/resource.ts'

/**
 * A chain with a token, the adapters under test, and what moves it. The signer's account owns the token, and has more
 * tokens and TRX than the suites spend: a few hundred micro-USDT. Others may use the chain at the same time.
 */
export type ChainDriver = Resource & {
  readonly reader: ChainReader
  readonly broadcaster: Broadcaster
  readonly sweeps: SweepChain
  readonly signer: TransferSigner
  /** Signs as a signer without a network does. @param rawHex  the bytes to sign; @returns 65 bytes in hex */
  signOffline(rawHex: string): Promise<string>
  /** An account that nobody has used. */
  newAccount(): ChainAccount
  readonly tokenContract: ChainAccount
  /** Ends when a block of the view has the transaction. @returns the block's number */
  until(view: ChainView, txHash: string): Promise<number>
  /** Ends when the solid block has the change. */
  setBlacklisted(account: ChainAccount, isListed: boolean): Promise<void>
  setPaused(isPaused: boolean): Promise<void>
  /** Replaces the newest block by two without this transaction. Absent where nobody can. */
  fork?(txHash: string): Promise<void>
}

/** Called once for each suite, which may share a chain with others. */
export type OpenChainDriver = () => Promise<ChainDriver>

/** A real chain needs a minute until a block is solid, and some tests wait for several. */
export const chainTimeout = { timeout: 540_000 } as const

/** More than a transfer costs, in sun. */
const feeLimit = 50_000_000n

let drawn = 0

/** An order that differs from all others. By default its transaction can be included for a minute. */
export async function orderOf(
  { reader }: Pick<ChainDriver, 'reader'>,
  to: ChainAccount,
  micros: bigint,
  lifeSeconds = 60,
): Promise<TransferOrder> {
  const [reference, head] = await Promise.all([reader.head('solid'), reader.head('head')])
  const at = new Date(head.at.getTime() + ++drawn)
  const expiresAt = new Date(head.at.getTime() + lifeSeconds * 1_000)
  return { to, amount: usdt(micros), feeLimit, reference, at, expiresAt }
}

/** A signed transfer of the signer's tokens. */
export async function signed(
  driver: ChainDriver,
  to: ChainAccount,
  micros: bigint,
  lifeSeconds?: number,
): Promise<SignedTransfer> {
  return driver.signer.sign(await orderOf(driver, to, micros, lifeSeconds))
}

/** Sends tokens of the signer. The transfer is in no block yet. */
export async function send(driver: ChainDriver, to: ChainAccount, micros: bigint): Promise<SignedTransfer> {
  const transfer = await signed(driver, to, micros)
  await driver.broadcaster.broadcast(transfer)
  return transfer
}

/** A block that must exist. */
export async function blockAt(
  { reader }: Pick<ChainDriver, 'reader'>,
  view: ChainView,
  number: number,
): Promise<ChainBlock> {
  const block = await reader.block(view, number)
  if (!block) throw new Error(`there is no block ${number} at the ${view}`)
  return block
}

/** The solid balance of an account. */
export async function balanceOf(
  { sweeps }: Pick<ChainDriver, 'sweeps'>,
  account: ChainAccount,
): Promise<bigint | undefined> {
  return (await sweeps.tokenBalances([account])).balances.get(account)
}
