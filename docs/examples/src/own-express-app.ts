import 'reflect-metadata'
import { parseMoney, type Tenant, Unavailable } from '@quipu/core'
import { migrate } from '@quipu/postgres'
import { fingerprint, payoutToJson, quoteToJson } from '@quipu/wire'
import express, { type ErrorRequestHandler, type Express } from 'express'
import { Container } from 'inversify'
import {
  COMPARE_PAYMENTS,
  CREATE_PAYOUT,
  CREATE_QUOTE,
  quipuModule,
  RESUME_PAYOUT,
  type Settings,
  STORES,
} from './own-container.ts'

/** Two routes of a shop that pays its suppliers' QRs. The shop authenticates its own callers. */
export function shopApp(container: Container, shop: Tenant): Express {
  const createQuote = container.get(CREATE_QUOTE)
  const createPayout = container.get(CREATE_PAYOUT)
  const app = express().use(express.json())

  app.post('/bills/:bill/price', async ({ body }, response) => {
    const { amount } = body as { amount?: unknown }
    const target = typeof amount === 'string' ? parseMoney('BOB', amount) : undefined
    if (!target || target.minor === 0n) return void response.status(400).json({ code: 'AMOUNT' })
    const answer = await createQuote(shop, { target, resolutionId: null })
    if (answer.type === 'refused') return void response.status(422).json({ code: answer.code })
    response.json(quoteToJson(answer.quote))
  })

  app.post('/bills/:bill/pay', async ({ params, body }, response) => {
    const { quote_id: quoteId, qr: content } = body as { quote_id: string; qr: string }
    // One bill is one payment: repeating the request returns the same payout.
    const request = { transactionId: `bill-${params.bill}`, quoteId, content, description: null }
    const answer = await createPayout(shop, { ...request, fingerprint: fingerprint(body) })
    if (answer.type === 'refused') return void response.status(409).json({ code: answer.code })
    response.json(payoutToJson(answer.payout))
  })

  const unavailable: ErrorRequestHandler = (error, _request, response, next) => {
    // The outcome is unknown. Repeating the request with the same body is always safe.
    if (error instanceof Unavailable) response.status(503).json({ code: 'ASK_AGAIN' })
    else next(error)
  }
  return app.use(unavailable)
}

/**
 * Settles payouts whose process died or whose network answer was late, and lets payments begin after a start of the
 * database. Call it every second.
 */
export async function resumeDue(container: Container): Promise<void> {
  const { payouts } = container.get(STORES)
  const resume = container.get(RESUME_PAYOUT)
  await Promise.all((await payouts.claimDue(16, 15)).map(resume))
  await container.get(COMPARE_PAYMENTS)()
}

/** The shop's container with the core, over a migrated database. */
export async function openContainer(settings: Settings): Promise<Container> {
  await migrate(settings.databaseUrl)
  const container = new Container()
  container.load(quipuModule(settings))
  await container.get(STORES).ping()
  return container
}
