import * as quipu from '@quipu/core'
import { fingerprint, payoutToJson, quoteToJson } from '@quipu/wire'
import Fastify, { type FastifyInstance } from 'fastify'

const text = { type: 'string' } as const
const priceBody = { type: 'object', required: ['amount'], properties: { amount: text } } as const
const payBody = { type: 'object', required: ['quote_id', 'qr'], properties: { quote_id: text, qr: text } } as const

/** Two routes of a shop that pays its suppliers' QRs. */
export function shopServer(
  ports: quipu.CreateQuotePorts & quipu.CreatePayoutPorts,
  shop: quipu.Tenant,
): FastifyInstance {
  const createQuote = quipu.createQuote(ports, { lifeSeconds: 60 })
  const createPayout = quipu.createPayout(ports, quipu.defaultPayoutSettings)
  const app = Fastify()

  app.post<{ Body: { amount: string } }>(
    '/bills/:bill/price',
    { schema: { body: priceBody } },
    async ({ body }, reply) => {
      const target = quipu.parseMoney('BOB', body.amount)
      if (!target || target.minor === 0n) return reply.code(400).send({ code: 'AMOUNT' })
      const answer = await createQuote(shop, { target, resolutionId: null })
      if (answer.type === 'refused') return reply.code(422).send({ code: answer.code })
      return quoteToJson(answer.quote)
    },
  )

  app.post<{ Params: { bill: string }; Body: { quote_id: string; qr: string } }>(
    '/bills/:bill/pay',
    { schema: { body: payBody } },
    async ({ params, body }, reply) => {
      // One bill is one payment: repeating the request returns the same payout.
      const request = { transactionId: `bill-${params.bill}`, quoteId: body.quote_id }
      const order = { ...request, content: body.qr, description: null }
      const answer = await createPayout(shop, { ...order, fingerprint: fingerprint(body) })
      if (answer.type === 'refused') return reply.code(409).send({ code: answer.code })
      return payoutToJson(answer.payout)
    },
  )

  app.setErrorHandler((error, _request, reply) => {
    // The outcome is unknown. Repeating the request with the same body is always safe.
    if (error instanceof quipu.Unavailable) return reply.code(503).send({ code: 'ASK_AGAIN' })
    return reply.send(error)
  })
  return app
}
