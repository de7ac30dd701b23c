import { micro, type Order, type Payout, type Quote, type Shop } from './demo-client.ts'

/** What came of a chapter, in words that can be compared. */
export type Outcome = {
  readonly expected: string
  readonly got: string
  /** Micro-USDT that the balance must have gone down by; negative when it must have gone up. */
  readonly debited: bigint
}

export type Chapter = { readonly title: string; play(stage: Stage): Promise<Outcome> }

/** What the chapters share. */
export type Stage = {
  readonly shop: Shop
  readonly remark: (text: string) => void
  readonly pause: (ms: number) => Promise<void>
  /** A `transaction_id` that no other run of the demo uses. */
  readonly transactionId: (name: string) => string
  /** The first payment, which later chapters come back to. */
  first?: { readonly order: Order; readonly payout: Payout }
}

const amount = '25.00'

/** The whole way from a QR to a payment of it. */
async function payQr(
  { shop, transactionId }: Stage,
  name: string,
  qr: object,
): Promise<{ quote: Quote; order: Order; outcome: string; payout: Payout | undefined }> {
  const content = await shop.issueQr({ amount_mode: 'closed', amount, ...qr })
  const quote = await shop.quote({ resolution_id: await shop.resolve(content) })
  const order = orderOf(transactionId(name), quote, content)
  return { quote, order, ...(await shop.pay(order)) }
}

const orderOf = (transaction_id: string, quote: Quote, content: string): Order => ({
  transaction_id,
  type: 'qr',
  quote_id: quote.id,
  qr: { content },
})

/** A chapter whose QR alone decides how it ends, and costs nothing. */
const unpaid = (scenario: string, title: string, ending: string): Chapter => ({
  title,
  async play(stage) {
    const { outcome } = await payQr(stage, scenario, { scenario })
    return { expected: `201 ${ending}`, got: outcome, debited: 0n }
  },
})

const paid: Chapter = {
  title: 'paid: the merchant gets exactly the quoted bolivianos',
  async play(stage) {
    const { quote, order, outcome, payout } = await payQr(stage, 'paid', { scenario: 'paid' })
    if (payout) stage.first = { order, payout }
    return { expected: '201 completed', got: outcome, debited: micro(quote.source.amount) }
  },
}

const replay: Chapter = {
  title: 'the same request again: the same payment, nothing is paid twice',
  async play({ shop, first }) {
    const again = await shop.pay(first?.order ?? {})
    const same = again.payout?.id === first?.payout.id ? 'same payment' : 'another payment'
    const expected = '201 completed (replayed), same payment'
    return { expected, got: `${again.outcome}, ${same}`, debited: 0n }
  },
}

const reused: Chapter = {
  title: 'the same transaction_id with another body',
  async play({ shop, first }) {
    const { outcome } = await shop.pay({ ...first?.order, description: 'something else' })
    return { expected: '409 TRANSACTION_ID_REUSED', got: outcome, debited: 0n }
  },
}

const used: Chapter = {
  title: 'a quote that was used',
  async play({ shop, first, transactionId }) {
    const { outcome } = await shop.pay({ ...first?.order, transaction_id: transactionId('used') })
    return { expected: '409 QUOTE_ALREADY_USED', got: outcome, debited: 0n }
  },
}

const open: Chapter = {
  title: 'an open QR: the payer chooses the amount',
  async play({ shop, transactionId }) {
    const content = await shop.issueQr({ amount_mode: 'open' })
    const resolution_id = await shop.resolve(content)
    const quote = await shop.quote({ resolution_id, target: { currency: 'BOB', amount: '12.34' } })
    const { outcome, payout } = await shop.pay(orderOf(transactionId('open'), quote, content))
    const got = `${outcome}, BOB ${payout?.target.amount}`
    return { expected: '201 completed, BOB 12.34', got, debited: micro(quote.source.amount) }
  },
}

const late: Chapter = {
  title: 'late: the network answers after a while',
  async play(stage) {
    const { quote, outcome, payout } = await payQr(stage, 'late', { scenario: 'late' })
    const ended = payout && (await stage.shop.untilEnded(payout.id))
    const got = `${outcome}, then ${ended?.status}`
    return { expected: '201 processing, then completed', got, debited: micro(quote.source.amount) }
  },
}

const mismatch: Chapter = {
  title: 'a QR of another amount than the quote; then the right one',
  async play({ shop, transactionId }) {
    const wrong = await shop.issueQr({ amount_mode: 'closed', amount: '40.00' })
    const quote = await shop.quote({ target: { currency: 'BOB', amount } })
    const first = await shop.pay(orderOf(transactionId('mismatch'), quote, wrong))
    const right = await shop.issueQr({ amount_mode: 'closed', amount })
    const then = await shop.pay(orderOf(transactionId('match'), quote, right))
    const expected = '201 cancelled QUOTE_AMOUNT_MISMATCH, then 201 completed'
    return {
      expected,
      got: `${first.outcome}, then ${then.outcome}`,
      debited: micro(quote.source.amount),
    }
  },
}

const poor: Chapter = {
  title: 'a quote above the balance',
  async play({ shop, transactionId }) {
    // At most 10 BOB a USDT, so this costs more than there is.
    const target = `${((await shop.available()) * 10n) / 1_000_000n + 1n}.00`
    const content = await shop.issueQr({ amount_mode: 'open' })
    const quote = await shop.quote({ target: { currency: 'BOB', amount: target } })
    const { outcome } = await shop.pay(orderOf(transactionId('poor'), quote, content))
    return { expected: '201 cancelled INSUFFICIENT_BALANCE', got: outcome, debited: 0n }
  },
}

const unreadable: Chapter = {
  title: 'what is not a QR: refused when read, rejected when paid',
  async play({ shop, transactionId }) {
    const content = 'https://example.com/not-a-payment'
    const read = await shop.resolve(content)
    const quote = await shop.quote({ target: { currency: 'BOB', amount } })
    const { outcome } = await shop.pay(orderOf(transactionId('unreadable'), quote, content))
    const expected = '422 QR_REFUSED, then 201 rejected QR_REFUSED'
    return { expected, got: `${read}, then ${outcome}`, debited: 0n }
  },
}

const bankTransfer: Chapter = {
  title: 'a bank transfer, which is not available yet',
  async play({ shop, transactionId }) {
    const quote = await shop.quote({ target: { currency: 'BOB', amount } })
    const { outcome } = await shop.pay({
      transaction_id: transactionId('transfer'),
      type: 'bank_transfer',
      quote_id: quote.id,
      bank_transfer: {
        bank_code: '1001',
        account_number: '1234567890',
        branch_city: 'LPZ',
        holder_name: 'Ana Quispe',
        identification_number: '1234567',
      },
    })
    return { expected: '422 PAYOUT_TYPE_NOT_AVAILABLE', got: outcome, debited: 0n }
  },
}

/** Takes as long as a quote lives, so it is played only when asked for. */
export const expired: Chapter = {
  title: 'a quote that has expired',
  async play({ shop, remark, pause, transactionId }) {
    const content = await shop.issueQr({ amount_mode: 'closed', amount })
    const quote = await shop.quote({ resolution_id: await shop.resolve(content) })
    const waitMs = Math.max(0, Date.parse(quote.expires_at) - Date.now() + 100)
    remark(`waiting ${Math.ceil(waitMs / 1000)} s for the quote to expire`)
    await pause(waitMs)
    const { outcome } = await shop.pay(orderOf(transactionId('expired'), quote, content))
    return { expected: '409 QUOTE_EXPIRED', got: outcome, debited: 0n }
  },
}

/** Every outcome of a payment, in the order in which they are best understood. */
export const chapters: readonly Chapter[] = [
  paid,
  replay,
  reused,
  used,
  open,
  late,
  unpaid('refused', 'refused: the network refuses the payment', 'failed PAYMENT_FAILED'),
  unpaid(
    'no_liquidity',
    "no_liquidity: the service's own funds at the network are short",
    'cancelled INSUFFICIENT_FUNDS',
  ),
  unpaid(
    'limit',
    'limit: more than the network pays at once',
    'cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT',
  ),
  unpaid(
    'refused_qr',
    'refused_qr: a QR that reads well and is refused when paid',
    'rejected QR_REFUSED',
  ),
  mismatch,
  poor,
  unreadable,
  bankTransfer,
]
