import type { SandboxScenario } from '@quipu/core/adapter'
import { micro, type Order, type Payout, type Quote } from './demo-client.ts'
import type { Step, StepContext } from './step.ts'

const amount = '25.00'

/** Issues a QR, resolves it, quotes it and pays it. */
async function payQr(
  { client, transactionId }: StepContext,
  name: string,
  qr: object,
): Promise<{ quote: Quote; order: Order; outcome: string; payout: Payout | undefined }> {
  const content = await client.issueQr({ amount_mode: 'closed', amount, ...qr })
  const quote = await client.quote({ resolution_id: await client.resolve(content) })
  const order = orderOf(transactionId(name), quote, content)
  return { quote, order, ...(await client.pay(order)) }
}

const orderOf = (transaction_id: string, quote: Quote, content: string): Order => ({
  transaction_id,
  type: 'qr',
  quote_id: quote.id,
  qr: { content },
})

/** A payment that the QR's scenario makes fail; nothing is debited. */
const unpaid = (scenario: string, title: string, status: string): Step => ({
  title,
  async run(context) {
    const { outcome } = await payQr(context, scenario, { scenario })
    return { expected: `201 ${status}`, actual: outcome, debited: 0n }
  },
})

const paid: Step = {
  title: 'paid: the merchant gets exactly the quoted bolivianos',
  async run(context) {
    const { quote, order, outcome, payout } = await payQr(context, 'paid', { scenario: 'paid' })
    if (payout) context.first = { order, payout }
    return { expected: '201 completed', actual: outcome, debited: micro(quote.source.amount) }
  },
}

const replay: Step = {
  title: 'the same request again: the same payment, paid once',
  async run({ client, first }) {
    const again = await client.pay(first?.order ?? {})
    const same = again.payout?.id === first?.payout.id ? 'same payment' : 'another payment'
    const expected = '201 completed (replayed), same payment'
    return { expected, actual: `${again.outcome}, ${same}`, debited: 0n }
  },
}

const reused: Step = {
  title: 'the same transaction_id with another body',
  async run({ client, first }) {
    const { outcome } = await client.pay({ ...first?.order, description: 'something else' })
    return { expected: '409 TRANSACTION_ID_REUSED', actual: outcome, debited: 0n }
  },
}

const used: Step = {
  title: 'a quote that is already used',
  async run({ client, first, transactionId }) {
    const { outcome } = await client.pay({ ...first?.order, transaction_id: transactionId('used') })
    return { expected: '409 QUOTE_ALREADY_USED', actual: outcome, debited: 0n }
  },
}

const open: Step = {
  title: 'an open QR: the payer chooses the amount',
  async run({ client, transactionId }) {
    const content = await client.issueQr({ amount_mode: 'open' })
    const resolution_id = await client.resolve(content)
    const quote = await client.quote({ resolution_id, target: { currency: 'BOB', amount: '12.34' } })
    const { outcome, payout } = await client.pay(orderOf(transactionId('open'), quote, content))
    const actual = `${outcome}, BOB ${payout?.target.amount}`
    return { expected: '201 completed, BOB 12.34', actual, debited: micro(quote.source.amount) }
  },
}

const late: Step = {
  title: 'late: the network answers after a delay',
  async run(context) {
    const { quote, outcome, payout } = await payQr(context, 'late', { scenario: 'late' })
    const ended = payout && (await context.client.untilEnded(payout.id))
    const actual = `${outcome}, then ${ended?.status}`
    return { expected: '201 processing, then completed', actual, debited: micro(quote.source.amount) }
  },
}

const mismatch: Step = {
  title: 'a QR whose amount differs from the quote, then a matching one',
  async run({ client, transactionId }) {
    const wrong = await client.issueQr({ amount_mode: 'closed', amount: '40.00' })
    const quote = await client.quote({ target: { currency: 'BOB', amount } })
    const first = await client.pay(orderOf(transactionId('mismatch'), quote, wrong))
    const right = await client.issueQr({ amount_mode: 'closed', amount })
    const then = await client.pay(orderOf(transactionId('match'), quote, right))
    const expected = '201 cancelled QUOTE_AMOUNT_MISMATCH, then 201 completed'
    return { expected, actual: `${first.outcome}, then ${then.outcome}`, debited: micro(quote.source.amount) }
  },
}

const insufficientBalance: Step = {
  title: 'a quote above the balance',
  async run({ client, transactionId }) {
    // The rate is below 10 BOB per USDT, so this target costs more than the balance.
    const target = `${((await client.available()) * 10n) / 1_000_000n + 1n}.00`
    const content = await client.issueQr({ amount_mode: 'open' })
    const quote = await client.quote({ target: { currency: 'BOB', amount: target } })
    const { outcome } = await client.pay(orderOf(transactionId('insufficient-balance'), quote, content))
    return { expected: '201 cancelled INSUFFICIENT_BALANCE', actual: outcome, debited: 0n }
  },
}

const unreadable: Step = {
  title: 'content that is no QR: refused on resolve, rejected on payment',
  async run({ client, transactionId }) {
    const content = 'https://example.com/not-a-payment'
    const read = await client.resolve(content)
    const quote = await client.quote({ target: { currency: 'BOB', amount } })
    const { outcome } = await client.pay(orderOf(transactionId('unreadable'), quote, content))
    const expected = '422 QR_REFUSED, then 201 rejected QR_REFUSED'
    return { expected, actual: `${read}, then ${outcome}`, debited: 0n }
  },
}

const bankTransfer: Step = {
  title: 'a bank transfer: not available yet',
  async run({ client, transactionId }) {
    const quote = await client.quote({ target: { currency: 'BOB', amount } })
    const { outcome } = await client.pay({
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
    return { expected: '422 PAYOUT_TYPE_NOT_AVAILABLE', actual: outcome, debited: 0n }
  },
}

/** Waits until a quote expires, so it runs only with `--expiry`. */
export const expired: Step = {
  title: 'a quote that has expired',
  async run({ client, note, pause, transactionId }) {
    const content = await client.issueQr({ amount_mode: 'closed', amount })
    const quote = await client.quote({ resolution_id: await client.resolve(content) })
    const waitMs = Math.max(0, Date.parse(quote.expires_at) - Date.now() + 100)
    note(`waiting ${Math.ceil(waitMs / 1000)} s for the quote to expire`)
    await pause(waitMs)
    const { outcome } = await client.pay(orderOf(transactionId('expired'), quote, content))
    return { expected: '409 QUOTE_EXPIRED', actual: outcome, debited: 0n }
  },
}

/** The step of each scenario but `paid`. */
const scenarioSteps: Readonly<Record<Exclude<SandboxScenario, 'paid'>, Step | null>> = {
  late,
  refused: unpaid('refused', 'refused: the network refuses the payment', 'failed PAYMENT_FAILED'),
  no_liquidity: unpaid(
    'no_liquidity',
    "no_liquidity: the service's funds at the network are too low",
    'cancelled INSUFFICIENT_FUNDS',
  ),
  limit: {
    ...unpaid(
      'limit',
      'limit: the amount is above the limit of the network',
      'cancelled AMOUNT_EXCEEDS_PROVIDER_LIMIT',
    ),
    network: 'http', // OpenHub has no answer for it.
  },
  refused_qr: unpaid('refused_qr', 'refused_qr: a QR that resolves and is refused on payment', 'rejected QR_REFUSED'),
  lost_answer: null, // The guide of idempotency pays it.
  short_quote: null, // `expired` shows a quote's end.
}

/** Every outcome of a payment. Steps after the first reuse its order. */
export const paymentSteps: readonly Step[] = [
  paid,
  replay,
  reused,
  used,
  open,
  ...Object.values(scenarioSteps).filter((step) => step !== null),
  mismatch,
  insufficientBalance,
  unreadable,
  bankTransfer,
]
