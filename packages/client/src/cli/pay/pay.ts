import { visible } from '../../terminal.ts'
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
  const { description } = options
  const unpriced = {
    transaction_id: id,
    type: 'qr',
    qr: { content },
    ...(description !== undefined && { description }),
  } as const
  if (earlier) return endWith(call, await repeated(call, earlier, unpriced, options))

  const resolution = await client.payouts.resolveQr({ content }, { signal })
  const { resolution_id } = resolution
  requireAmount(resolution, options.amount)
  const target = options.amount && ({ currency: 'BOB', amount: options.amount } as const)
  const quote = await client.quotes.create({ resolution_id, ...(target && { target }) }, { signal })
  terminal.error(`${offer(resolution, quote, id).map(visible).join('\n')}\n`)
  if (!options.yes && !/^(?:y|yes|s|sí|si)$/i.test((await terminal.ask?.('Pay? [y/N] ')) ?? ''))
    throw new CommandError(exitCodes.refused, 'Nothing was paid.')
  endWith(call, await paid(call, { ...unpriced, quote_id: quote.id }, options))
}

/** @throws CommandError when the payer chooses the amount, and it is not given */
export function requireAmount({ amount_mode }: Pick<Resolution, 'amount_mode'>, amount: string | undefined): void {
  if (amount_mode === 'open' && amount === undefined) throw usageError('The QR has an open amount: add --amount.')
}

/** The payment to come, and its price. */
const offer = ({ merchant, description }: Resolution, quote: QuoteRecord, id: string): string[] => [
  `Merchant     ${merchant.name} (bank ${merchant.bank_code})${description ? `, ${description}` : ''}`,
  `Gets         ${quote.target.amount} BOB`,
  `You pay      ${quote.source.amount} USDT, at ${quote.rate} BOB per USDT, with a fee of ${quote.fee.amount} USDT`,
  `Until        ${quote.expires_at}`,
  `Transaction  ${id}`,
  ...(quote.exceeds_payment_cap ? ['It exceeds your payment cap: it will be cancelled.'] : []),
]

type Unpriced = Omit<PayoutRequest & { readonly type: 'qr' }, 'quote_id'>

/**
 * Sends the request of an earlier payout again, with this QR: the service answers with that payout only when it was of
 * the same QR.
 *
 * @throws CommandError when the id was taken for another payment: nothing is paid
 */
async function repeated(call: CommandCall, earlier: Payout, order: Unpriced, { amount }: PayOptions): Promise<Payout> {
  const { transaction_id, target, quote } = earlier
  const other = new CommandError(
    exitCodes.refused,
    `${transaction_id} is the transaction id of another payment, of ${target.amount} BOB. Nothing was paid: choose another id.`,
  )
  if (amount !== undefined && centavos(amount) !== centavos(target.amount)) throw other
  // Without a quote it ended unpaid, whichever QR it was of.
  const payout = quote ? await sent(call, { ...order, quote_id: quote.id }) : earlier
  if (payout === 'other payment') throw other
  call.context.terminal.error(
    `${transaction_id} is the transaction id of an earlier payout, shown here: nothing was paid now.\n`,
  )
  return payout
}

/** Two fraction digits, written or not. */
const centavos = (decimal: string): string => {
  const [whole = '', fraction = ''] = decimal.split('.')
  return whole + fraction.padEnd(2, '0')
}

/** Pays and waits. When an earlier payout has the transaction id, that one is repeated. */
async function paid(
  call: CommandCall,
  order: PayoutRequest & { readonly type: 'qr' },
  options: PayOptions,
): Promise<Payout> {
  const payout = await sent(call, order)
  if (payout !== 'other payment') return payout
  const earlier = await payoutOf(call, order.transaction_id)
  if (earlier) return repeated(call, earlier, order, options)
  throw new CommandError(exitCodes.refused, `${order.transaction_id} is taken: choose another id.`)
}

/** Sends a payment until it has ended. */
async function sent(call: CommandCall, order: PayoutRequest): Promise<Payout | 'other payment'> {
  const { client, context } = call
  const { signal } = context
  try {
    return await client.payouts.createAndWait(order, { signal })
  } catch (error) {
    if (error instanceof QuipuError && error.code === 'TRANSACTION_ID_REUSED') return 'other payment'
    const isCall = error instanceof QuipuError || error instanceof QuipuConnectionError
    if (!signal.aborted && !(isCall && error.uncertain)) throw error
    const reason = isCall ? errorText(error) : 'Interrupted.'
    throw new CommandError(
      exitCodes.unavailable,
      `${reason}\nThe payment may have been made. Repeat the command with --transaction-id ${order.transaction_id}: it pays at most once.`,
      { cause: error },
    )
  }
}

async function payoutOf({ client, context }: CommandCall, id: string): Promise<Payout | undefined> {
  const query = { transaction_id: id, limit: 1 }
  const { data } = await client.payouts.list(query, { signal: context.signal }).page()
  return data[0]
}

/** Prints the payout, which has ended. @throws CommandError unless the merchant was paid */
function endWith(call: CommandCall, payout: Payout): void {
  printOne(call, payout)
  if (payout.status === 'completed') return
  const { code, message } = payout.error ?? { code: payout.status, message: '' }
  throw new CommandError(exitCodes.refused, visible(`${code}: ${message} Nothing was debited.`))
}
