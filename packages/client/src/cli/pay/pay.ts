import { visible } from '@quipu/terminal'
import {
  type Payout,
  type PayoutRequest,
  QuipuConnectionError,
  QuipuError,
  type QuoteRecord,
  type Resolution,
} from '../../index.ts'
import type { CommandCall, CommonOptions } from '../connection/command-call.ts'
import { errorText } from '../error-text.ts'
import { CommandError, exitCodes, usageError } from '../exit.ts'
import { printOne } from '../output/print.ts'

export type PayOptions = CommonOptions & {
  readonly amount?: string
  readonly transactionId?: string
  readonly description?: string
  readonly yes?: boolean
}

/**
 * Pays a QR at most once for each transaction id, and prints the payout.
 *
 * @throws CommandError when it was not paid, is not paid yet, or may have been paid
 */
export async function pay(call: CommandCall, content: string, options: PayOptions): Promise<void> {
  const { client, context } = call
  const { terminal, signal } = context
  if (!options.yes && !terminal.ask)
    throw usageError('Nobody can be asked whether the price is right: add --yes to pay without.')
  const id = options.transactionId ?? `cli-${crypto.randomUUID()}`
  const earlier = options.transactionId === undefined ? undefined : await payoutOf(call, id)
  if (earlier) {
    requireAmount(earlier, options.amount)
    return endWith(call, await ended(call, earlier), earlierNotice(id))
  }

  const resolution = await client.payouts.resolveQr({ content }, { signal })
  const { resolution_id } = resolution
  const target = options.amount && ({ currency: 'BOB', amount: options.amount } as const)
  const quote = await client.quotes.create({ resolution_id, ...(target && { target }) }, { signal })
  terminal.error(`${offer(resolution, quote, id).map(visible).join('\n')}\n`)
  if (!options.yes && !/^(?:y|yes|s|sí|si)$/i.test((await terminal.ask?.('Pay? [y/N] ')) ?? ''))
    throw new CommandError(exitCodes.refused, 'Nothing was paid.')
  const { description } = options
  const order: PayoutRequest = {
    transaction_id: id,
    type: 'qr',
    quote_id: quote.id,
    qr: { content },
    ...(description !== undefined && { description }),
  }
  endWith(call, await paid(call, order))
}

/** What is about to be paid, and for how much. */
const offer = ({ merchant, description }: Resolution, quote: QuoteRecord, id: string): string[] => [
  `Merchant     ${merchant.name} (bank ${merchant.bank_code})${description ? `, ${description}` : ''}`,
  `Gets         ${quote.target.amount} BOB`,
  `You pay      ${quote.source.amount} USDT, at ${quote.rate} BOB per USDT, with a fee of ${quote.fee.amount} USDT`,
  `Until        ${quote.expires_at}`,
  `Transaction  ${id}`,
  ...(quote.exceeds_payment_cap ? ['It exceeds your payment cap: it will be cancelled.'] : []),
]

const earlierNotice = (id: string): string =>
  `${id} is the transaction id of an earlier payout, shown above: nothing was paid now.`

/** @throws CommandError when the earlier payout is of another amount: the id was taken for another payment */
function requireAmount({ transaction_id, target }: Payout, wanted: string | undefined): void {
  if (wanted === undefined || centavos(wanted) === centavos(target.amount)) return
  throw new CommandError(
    exitCodes.refused,
    `${transaction_id} is the transaction id of another payment, of ${target.amount} BOB. Nothing was paid: choose another id.`,
  )
}

/** Two fraction digits, written or not. */
const centavos = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return whole + fraction.padEnd(2, '0')
}

/** Pays and waits. When another payout has the transaction id, that one is the answer. */
async function paid(call: CommandCall, order: PayoutRequest): Promise<Payout> {
  const { client, context } = call
  const { signal, terminal } = context
  const id = order.transaction_id
  try {
    return await client.payouts.createAndWait(order, { signal })
  } catch (error) {
    if (error instanceof QuipuError && error.code === 'TRANSACTION_ID_REUSED') {
      const other = await payoutOf(call, id)
      if (other === undefined) throw error
      terminal.error(`${earlierNotice(id)}\n`)
      return ended(call, other)
    }
    const isCall = error instanceof QuipuError || error instanceof QuipuConnectionError
    if (!signal.aborted && !(isCall && error.uncertain)) throw error
    const reason = isCall ? errorText(error) : 'Interrupted.'
    throw new CommandError(
      exitCodes.unavailable,
      `${reason}\nThe payment may have been made. Repeat the command with --transaction-id ${id}: it pays at most once.`,
      { cause: error },
    )
  }
}

async function payoutOf({ client, context }: CommandCall, id: string): Promise<Payout | undefined> {
  const query = { transaction_id: id, limit: 1 }
  const { data } = await client.payouts.list(query, { signal: context.signal }).page()
  return data[0]
}

/** Waits for an earlier payout that is still `processing`. */
async function ended({ client, context }: CommandCall, payout: Payout): Promise<Payout> {
  const { signal } = context
  let latest = payout
  for (let reads = 0; latest.status === 'processing' && reads < 60; reads++) {
    await new Promise((resolve) => setTimeout(resolve, 1_000))
    latest = await client.payouts.get(payout.id, { signal })
  }
  return latest
}

/** Prints the payout. @throws CommandError unless the merchant was paid */
function endWith(call: CommandCall, payout: Payout, notice?: string): void {
  const { terminal } = call.context
  printOne(call, payout)
  if (notice !== undefined) terminal.error(`${notice}\n`)
  if (payout.status === 'completed') return
  if (payout.status === 'processing')
    throw new CommandError(
      exitCodes.unavailable,
      `It has not ended: repeat the command with --transaction-id ${payout.transaction_id}.`,
    )
  const { code, message } = payout.error ?? { code: payout.status, message: '' }
  throw new CommandError(exitCodes.refused, visible(`${code}: ${message} Nothing was debited.`))
}
