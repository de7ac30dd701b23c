import { createPayout, createQuote, resolveQr } from './client/quipu'

const { QUIPU_API_KEY = '' } = process.env
const options = { headers: { 'X-API-Key': QUIPU_API_KEY } }
const content = 'MOCK:CLOSED:100.00'
const resolution = await resolveQr({ content }, options)
if (resolution.status !== 201) throw new Error(resolution.data.error.message)
const quote = await createQuote({ resolution_id: resolution.data.resolution_id }, options)
if (quote.status !== 201) throw new Error(quote.data.error.message)
const order = { transaction_id: 'generated', type: 'qr', quote_id: quote.data.id, qr: { content } } as const
const payout = await createPayout(order, options)
if (payout.status !== 201) throw new Error(payout.data.error.message)
console.log(payout.data.status, payout.data.transaction_id)
