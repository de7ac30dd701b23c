import { randomUUID } from 'node:crypto'
import { env } from 'node:process'
import { type Payout, quipu } from '@quipu/client'

const baseUrl = env['QUIPU_API_URL'] ?? 'http://127.0.0.1:4000'
const { payouts, quotes, sandbox } = quipu({ baseUrl, apiKey: env['QUIPU_API_KEY'] ?? '' })

/** The whole payment. Store it before the first call of `pay`. */
type Order = { readonly id: string; readonly quoteId: string; readonly qr: string }

/** Pays an order once, however often it is called: after a crash or a timeout, even years later. */
const pay = ({ id, quoteId, qr }: Order): Promise<Payout> =>
  payouts.createAndWait({ transaction_id: id, type: 'qr', quote_id: quoteId, qr: { content: qr } })

const { content } = await sandbox.createQrCode({ amount_mode: 'closed', amount: '40.00' })
const { resolution_id } = await payouts.resolveQr({ content })
const quote = await quotes.create({ resolution_id })
const order = { id: `order-${randomUUID()}`, quoteId: quote.id, qr: content }

const first = await pay(order)
const again = await pay(order)
console.log(first.status, quote.source.amount, first.id === again.id ? 'paid once' : 'paid twice')
