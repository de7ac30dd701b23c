import type { Broadcaster, ChainAccount, ChainReader, TransferOrder, TransferSigner } from '../chain/chain.ts'
import type { RandomBytes } from '../ids.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'

type PrepareOrdersPorts = {
  readonly broadcaster: Pick<Broadcaster, 'prepare'>
  readonly reader: Pick<ChainReader, 'head'>
  readonly signer: Pick<TransferSigner, 'account'>
  readonly random: RandomBytes
  readonly now: Clock
}

/** A transfer cannot enter a block one to two minutes after the head's time. */
const expiresAfterMs = { least: 60_000, spread: 60_000 }

/**
 * Prepares orders for one transfer. Each has other instants: equal orders have the same transaction id, and
 * the chain would take them for one transfer.
 *
 * @returns undefined when the faucet cannot pay
 * @throws Unavailable when the transfer would revert: the token is paused, or the faucet blocked
 */
export async function prepareOrders(
  { broadcaster, reader, signer, random, now }: PrepareOrdersPorts,
  { account: to, amount }: Pick<TransferOrder, 'amount'> & { readonly account: ChainAccount },
): Promise<(() => TransferOrder) | undefined> {
  const [feeLimit, reference, head] = await Promise.all([
    broadcaster.prepare(signer.account, to, amount),
    reader.head('solid'),
    reader.head('head'),
  ])
  if (feeLimit === 'insufficient') return undefined
  if (feeLimit === 'refused')
    throw new Unavailable('chain', 'the token refuses a transfer of the faucet, or it costs too much')
  return () => {
    const drawn = random(4).reduce((sum, byte) => sum * 256 + byte, 0)
    const lifeMs = expiresAfterMs.least + (drawn % expiresAfterMs.spread)
    const expiresAt = new Date(head.at.getTime() + lifeMs)
    return { to, amount, feeLimit, reference, at: now(), expiresAt }
  }
}
