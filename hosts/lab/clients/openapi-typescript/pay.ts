import createClient from 'openapi-fetch'
import type { paths } from './client'

const { QUIPU_API_URL = '', QUIPU_API_KEY = '' } = process.env
const client = createClient<paths>({ baseUrl: QUIPU_API_URL, headers: { 'X-API-Key': QUIPU_API_KEY } })
const content = 'MOCK:CLOSED:100.00'
const resolution = await client.POST('/v1/payouts/qr/resolve', { body: { content } })
const quote = await client.POST('/v1/quotes', { body: { resolution_id: resolution.data?.resolution_id ?? '' } })
const body = { transaction_id: 'generated', type: 'qr', quote_id: quote.data?.id ?? '', qr: { content } } as const
const { data: payout } = await client.POST('/v1/payouts', { body })
console.log(payout?.status, payout?.transaction_id)
