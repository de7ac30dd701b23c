import { z } from 'zod'
import { askJson, type JsonReply } from '../ask-json.ts'
import type { DemoOutput } from './demo-output.ts'

const Amount = z.object({ currency: z.string(), amount: z.string() })
const Failure = z.object({ code: z.string(), message: z.string() })
const IssuedQr = z.object({ content: z.string() })
const Resolution = z.object({ resolution_id: z.string() })
const Quote = z.object({ id: z.string(), source: Amount, target: Amount, rate: z.string(), expires_at: z.string() })
const Payout = z.object({
  id: z.string(),
  status: z.string(),
  transaction_id: z.string(),
  source: Amount.nullable(),
  target: Amount,
  error: Failure.nullable(),
})
const Page = z.object({ data: z.array(Payout), next_cursor: z.string().nullable() })
const Wallet = z.object({
  available: z.string(),
  held: z.string(),
  top_up_addresses: z.array(z.object({ address: z.string() })).min(1),
})
const NewWebhook = z.object({ id: z.string(), secret: z.string() })
const Tested = z.object({ event_id: z.string(), delivered: z.boolean() })
const FaucetRecord = z.object({ status: z.string(), tx_hash: z.string() })

export type Quote = z.output<typeof Quote>
export type Payout = z.output<typeof Payout>

/** The body of `POST /v1/payouts`. */
export type Order = {
  readonly transaction_id: string
  readonly type: 'qr'
  readonly quote_id: string
  readonly qr: { readonly content: string }
}

/** The tenant's calls of the API. Each one prints its request and its answer, unless noted. */
export type DemoClient = {
  issueQr(request: object): Promise<string>
  /** @returns the resolution's id, or status and code of the refusal */
  resolve(content: string): Promise<string>
  quote(request: object): Promise<Quote>
  /** @returns the answer in short, such as `201 completed` or `409 QUOTE_ALREADY_USED` */
  pay(order: object): Promise<{ readonly outcome: string; readonly payout: Payout | undefined }>
  /** Polls the payout until it has ended. */
  untilEnded(id: string): Promise<Payout>
  /** @param query  the query string, without the question mark */
  list(query: string): Promise<z.output<typeof Page>>
  topUpAddress(): Promise<string>
  /** @returns the answer in short, such as `201 submitted` or `429 FAUCET_TOO_SOON` */
  askFaucet(request: object, key: string): Promise<string>
  addWebhook(url: string): Promise<z.output<typeof NewWebhook>>
  /** @returns the answer in short, such as `200 delivered` */
  testWebhook(id: string): Promise<{ readonly event_id: string; readonly outcome: string }>
  removeWebhook(id: string): Promise<void>
  /** Reads any resource. Prints nothing. */
  read<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>>
  /** The spendable balance in micro-USDT. Prints nothing. */
  available(): Promise<bigint>
  /** Every payment made so far, by its id, as last answered. */
  readonly payments: ReadonlyMap<string, Payout>
}

export type DemoClientOptions = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly output: DemoOutput
  readonly pause: (ms: number) => Promise<void>
}

const pollMs = 250
const pollMax = 120

export function demoClient(options: DemoClientOptions): DemoClient {
  const { output } = options
  const requests = apiRequests(options)
  const { send, sendAndPrint, printRefusal, bodyOf, payoutOf, payments } = requests
  return {
    async issueQr(request) {
      const reply = await sendAndPrint('POST', '/v1/sandbox/qr-codes', request)
      const { content } = bodyOf(reply, IssuedQr)
      output.answer(reply.status, `a QR of ${content.length} characters`)
      return content
    },
    async resolve(content) {
      const reply = await sendAndPrint('POST', '/v1/payouts/qr/resolve', { content })
      if (reply.status >= 300) return printRefusal(reply)
      const { resolution_id } = bodyOf(reply, Resolution)
      output.answer(reply.status, `resolution_id=${resolution_id}`)
      return resolution_id
    },
    async quote(request) {
      const reply = await sendAndPrint('POST', '/v1/quotes', request)
      const quote = bodyOf(reply, Quote)
      const { source, target, rate } = quote
      output.answer(reply.status, `${inWords(target)} for ${inWords(source)} at ${rate}`)
      return quote
    },
    async pay(order) {
      const reply = await sendAndPrint('POST', '/v1/payouts', order)
      if (reply.status >= 300) return { outcome: printRefusal(reply), payout: undefined }
      const payout = payoutOf(reply)
      const replayed = reply.headers.get('idempotent-replayed') === 'true' ? ' (replayed)' : ''
      output.answer(reply.status, `${payout.id} ${statusOf(payout)}${replayed}`)
      return { outcome: `${reply.status} ${statusOf(payout)}${replayed}`, payout }
    },
    untilEnded: (id) => untilEnded(id, requests, options),
    async list(query) {
      const reply = await sendAndPrint('GET', `/v1/payouts?${query}`)
      const page = bodyOf(reply, Page)
      const more = page.next_cursor === null ? 'the last page' : 'with a next_cursor'
      output.answer(reply.status, `${page.data.length} payouts, ${more}`)
      return page
    },
    ...funding(requests, output),
    ...webhooks(requests, output),
    read: async (path, shape) => bodyOf(await send('GET', path), shape),
    available: async () => micro(bodyOf(await send('GET', '/v1/wallets'), Wallet).available),
    payments,
  }
}

const funding = (
  { sendAndPrint, printRefusal, bodyOf }: ReturnType<typeof apiRequests>,
  output: DemoOutput,
): Pick<DemoClient, 'topUpAddress' | 'askFaucet'> => ({
  async topUpAddress() {
    const reply = await sendAndPrint('GET', '/v1/wallets')
    const [{ address } = { address: '' }] = bodyOf(reply, Wallet).top_up_addresses
    output.answer(reply.status, `top-up address ${address}`)
    return address
  },
  async askFaucet(request, key) {
    const reply = await sendAndPrint('POST', '/v1/sandbox/faucet', request, { 'idempotency-key': key })
    if (reply.status >= 300) return printRefusal(reply)
    const { status, tx_hash } = bodyOf(reply, FaucetRecord)
    output.answer(reply.status, `${status}, transaction ${tx_hash.slice(0, 16)}…`)
    return `${reply.status} ${status}`
  },
})

const webhooks = (
  { sendAndPrint, bodyOf }: ReturnType<typeof apiRequests>,
  output: DemoOutput,
): Pick<DemoClient, 'addWebhook' | 'testWebhook' | 'removeWebhook'> => ({
  async addWebhook(url) {
    const reply = await sendAndPrint('POST', '/v1/webhooks', { url })
    const endpoint = bodyOf(reply, NewWebhook)
    output.answer(reply.status, `${endpoint.id}, secret ${endpoint.secret.slice(0, 10)}…`)
    return endpoint
  },
  async testWebhook(id) {
    const reply = await sendAndPrint('POST', `/v1/webhooks/${id}/test`)
    const { event_id, delivered } = bodyOf(reply, Tested)
    const outcome = delivered ? 'delivered' : 'not delivered'
    output.answer(reply.status, outcome)
    return { event_id, outcome: `${reply.status} ${outcome}` }
  },
  async removeWebhook(id) {
    const { status } = await sendAndPrint('DELETE', `/v1/webhooks/${id}`)
    output.answer(status, 'the endpoint is removed')
  },
})

/** `2.550839` is `2550839n`. */
export const micro = (usdt: string): bigint => BigInt(usdt.replace('.', ''))

/** Sends requests, and reads the answers into `payments`. */
function apiRequests({ baseUrl, apiKey, output }: DemoClientOptions) {
  type Headers = Readonly<Record<string, string>>
  const send = (method: string, path: string, body?: unknown, more: Headers = {}) => {
    const request = { method, path, headers: { 'x-api-key': apiKey, ...more } }
    return askJson(baseUrl, body === undefined ? request : { ...request, body })
  }
  const sendAndPrint = (method: string, path: string, body?: unknown, more?: Headers) => {
    output.request(method, path, body)
    return send(method, path, body, more)
  }
  const printRefusal = ({ status, json }: JsonReply): string => {
    const { error } = z.object({ error: Failure }).parse(json)
    output.answer(status, `${error.code}: ${error.message}`)
    return `${status} ${error.code}`
  }
  const bodyOf = <T extends z.ZodType>(reply: JsonReply, shape: T): z.output<T> => {
    if (reply.status >= 300) throw new Error(`unexpected answer ${printRefusal(reply)}`)
    return shape.parse(reply.json)
  }
  const payments = new Map<string, Payout>()
  const payoutOf = (reply: JsonReply): Payout => {
    const payout = bodyOf(reply, Payout)
    payments.set(payout.id, payout)
    return payout
  }
  return { send, sendAndPrint, printRefusal, bodyOf, payoutOf, payments }
}

async function untilEnded(
  id: string,
  { send, payoutOf }: ReturnType<typeof apiRequests>,
  { output, pause }: DemoClientOptions,
): Promise<Payout> {
  const path = `/v1/payouts/${id}`
  output.request('GET', path, undefined)
  for (let requestCount = 1; requestCount <= pollMax; requestCount += 1) {
    const reply = await send('GET', path)
    const payout = payoutOf(reply)
    if (payout.status !== 'processing') {
      output.answer(reply.status, `${statusOf(payout)} (after ${requestCount} requests)`)
      return payout
    }
    await pause(pollMs)
  }
  throw new Error(`payout ${id} has not ended within ${(pollMs * pollMax) / 1000} s`)
}

const inWords = ({ currency, amount }: z.output<typeof Amount>): string => `${currency} ${amount}`

const statusOf = ({ status, error }: Payout): string => (error ? `${status} ${error.code}` : status)
