import { Configuration, PayoutsApi, QuotesApi } from './client/index'

const { QUIPU_API_URL = '', QUIPU_API_KEY = '' } = process.env
const configuration = new Configuration({ basePath: QUIPU_API_URL, headers: { 'X-API-Key': QUIPU_API_KEY } })
const payouts = new PayoutsApi(configuration)
const content = 'MOCK:CLOSED:100.00'
const { resolutionId } = await payouts.resolveQr({ resolveRequest: { content } })
const quote = await new QuotesApi(configuration).createQuote({ quoteRequest: { resolutionId } })
const payoutRequest = { transactionId: 'generated', type: 'qr', quoteId: quote.id, qr: { content } } as const
const payout = await payouts.createPayout({ payoutRequest })
console.log(payout.status, payout.transactionId)
