import { createPayout, createQuote, resolveQr } from './client'

const { QUIPU_API_URL = '', QUIPU_API_KEY = '' } = process.env
const options = { baseURL: QUIPU_API_URL, headers: { 'X-API-Key': QUIPU_API_KEY, 'Content-Type': 'application/json' } }
const content = 'MOCK:CLOSED:100.00'
const { resolution_id } = await resolveQr({ content }, options)
const quote = await createQuote({ resolution_id }, options)
const order = { transaction_id: 'generated', type: 'qr', quote_id: quote.id, qr: { content } } as const
const payout = await createPayout(order, options)
console.log(payout.status, payout.transaction_id)
