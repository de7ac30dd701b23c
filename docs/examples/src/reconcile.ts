import { env } from 'node:process'
import { quipu } from '@quipu/client'

const baseUrl = env['QUIPU_API_URL'] ?? 'http://127.0.0.1:4000'
const { payouts, wallets } = quipu({ baseUrl, apiKey: env['QUIPU_API_KEY'] ?? '' })

/** Micro-USDT. An amount is never a float. */
const micro = (amount: string): bigint => BigInt(amount.replace('.', ''))

// 1. Each row's balance is the previous one plus or minus its amount, starting from an empty wallet.
let balance: bigint | undefined
const debits = new Map<string, string>()
for await (const row of wallets.transactions()) {
  const after = micro(row.balance_after)
  if (balance !== undefined && after !== balance) throw new Error(`${row.id} does not follow`)
  balance = row.direction === 'in' ? after - micro(row.amount) : after + micro(row.amount)
  if (row.payout_id) debits.set(row.payout_id, row.amount)
}
if (balance) throw new Error('the first row does not start at zero')

// 2. Every completed payout has one debit of its source, and there is no other debit.
for await (const payout of payouts.list({ status: 'completed' })) {
  if (debits.get(payout.id) !== payout.source?.amount) throw new Error(`${payout.id} differs`)
  debits.delete(payout.id)
}
if (debits.size > 0) throw new Error(`debits without a payout: ${[...debits.keys()].join(', ')}`)

// 3. The service's own reconciliation agrees.
const books = await wallets.reconciliation()
console.log(books.balanced ? 'balanced' : 'NOT BALANCED', books.available, books.held)
