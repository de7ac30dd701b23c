import { createPayout, createQuote, resolveQr } from './client'
import { client } from './client/client.gen'

const { QUIPU_API_URL = '', QUIPU_API_KEY = '' } = process.env
client.setConfig({ baseUrl: QUIPU_API_URL, auth: QUIPU_API_KEY })
const content = 'MOCK:CLOSED:100.00'
const resolution = await resolveQr({ body: { content }, throwOnError: true })
const quote = await createQuote({ body: { resolution_id: resolution.data.resolution_id }, throwOnError: true })
const body = { transaction_id: 'generated', type: 'qr', quote_id: quote.data.id, qr: { content } } as const
const { data: payout } = await createPayout({ body, throwOnError: true })
console.log(payout.status, payout.transaction_id)
