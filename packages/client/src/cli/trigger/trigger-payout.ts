import type { Payout, SandboxQrRequest } from '../../index.ts'
import type { CommandCall } from '../connection/command-call.ts'
import { CommandError, exitCodes } from '../exit.ts'
import type { PayoutOutcome } from './outcomes.ts'

const usual = '10.00'
const another = '11.00'

/** Pays a test QR that has the outcome, and waits until the payout has ended. */
export async function triggerPayout(call: CommandCall, { scenario, quoted }: PayoutOutcome): Promise<Payout> {
  const { client, context } = call
  const { signal } = context
  const amount = quoted === 'most' ? await mostOf(call) : usual
  const request: SandboxQrRequest = { amount_mode: 'closed', amount, scenario }
  const { content } = await client.sandbox.createQrCode(request, { signal })
  const { resolution_id } = await client.payouts.resolveQr({ content }, { signal })
  const target = quoted === 'another' && ({ currency: 'BOB', amount: another } as const)
  const quote = await client.quotes.create({ resolution_id, ...(target && { target }) }, { signal })
  if (quoted === 'most') await requireMore(call, quote.source.amount)
  const transaction_id = `trigger-${crypto.randomUUID()}`
  const order = { transaction_id, type: 'qr', quote_id: quote.id, qr: { content } } as const
  return client.payouts.createAndWait(order, { signal })
}

async function mostOf({ client, context }: CommandCall): Promise<string> {
  return (await client.wallets.get({}, { signal: context.signal })).payment_cap.amount
}

/** @throws CommandError when the balance is enough, so that the payout would be paid */
async function requireMore({ client, context }: CommandCall, price: string): Promise<void> {
  const { available } = await client.wallets.get({}, { signal: context.signal })
  const micro = (decimal: string): bigint => BigInt(decimal.replace('.', ''))
  if (micro(available) < micro(price)) return
  throw new CommandError(
    exitCodes.refused,
    `Your balance of ${available} USDT is enough for the largest payout, of ${price} USDT: nothing was paid.`,
  )
}
