import { z } from 'zod'
import { askJson, type JsonReply } from '../ask-json.ts'
import type { Narrator } from './demo-output.ts'

const Amount = z.object({ currency: z.string(), amount: z.string() })
const Failure = z.object({ code: z.string(), message: z.string() })
const IssuedQr = z.object({ content: z.string() })
const Resolution = z.object({ resolution_id: z.string() })
const Quote = z.object({
  id: z.string(),
  source: Amount,
  target: Amount,
  rate: z.string(),
  expires_at: z.string(),
})
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

/** A tenant's shop: what it asks of the API, told step by step. */
export type Shop = {
  issueQr(request: object): Promise<string>
  /** @returns the resolution, or the code of its refusal */
  resolve(content: string): Promise<string>
  quote(request: object): Promise<Quote>
  /** @returns the answer in short, such as `201 completed` or `409 QUOTE_ALREADY_USED` */
  pay(order: object): Promise<{ readonly outcome: string; readonly payout: Payout | undefined }>
  /** Asks for the payout until it has ended. */
  untilEnded(id: string): Promise<Payout>
  /** @param query  what follows the question mark */
  list(query: string): Promise<z.output<typeof Page>>
  /** Where to send USDT. */
  topUpAddress(): Promise<string>
  /** @returns the answer in short, such as `201 submitted` or `429 FAUCET_TOO_SOON` */
  askFaucet(request: object, key: string): Promise<string>
  addWebhook(url: string): Promise<z.output<typeof NewWebhook>>
  /** @returns the answer in short, such as `200 delivered` */
  testWebhook(id: string): Promise<{ readonly event_id: string; readonly outcome: string }>
  removeWebhook(id: string): Promise<void>
  /** Reads something. Not told. */
  read<T extends z.ZodType>(path: string, shape: T): Promise<z.output<T>>
  /** What can be spent, in micro-USDT. Not told. */
  available(): Promise<bigint>
  /** Every payment made so far, by its id, as it was last seen. */
  readonly payments: ReadonlyMap<string, Payout>
}

export type ShopOptions = {
  readonly baseUrl: string
  readonly apiKey: string
  readonly narrator: Narrator
  readonly pause: (ms: number) => Promise<void>
}

const pollMs = 250
const pollMax = 120

export function shop(options: ShopOptions): Shop {
  const { narrator } = options
  const counted = counter(options)
  const { ask, told, refused, done, seen, payments } = counted
  return {
    async issueQr(request) {
      const reply = await told('POST', '/v1/sandbox/qr-codes', request)
      const { content } = done(reply, IssuedQr)
      narrator.answer(reply.status, `a QR of ${content.length} characters`)
      return content
    },
    async resolve(content) {
      const reply = await told('POST', '/v1/payouts/qr/resolve', { content })
      if (reply.status >= 300) return refused(reply)
      const { resolution_id } = done(reply, Resolution)
      narrator.answer(reply.status, `resolution_id=${resolution_id}`)
      return resolution_id
    },
    async quote(request) {
      const reply = await told('POST', '/v1/quotes', request)
      const quote = done(reply, Quote)
      const { source, target, rate } = quote
      narrator.answer(reply.status, `${inWords(target)} for ${inWords(source)} at ${rate}`)
      return quote
    },
    async pay(order) {
      const reply = await told('POST', '/v1/payouts', order)
      if (reply.status >= 300) return { outcome: refused(reply), payout: undefined }
      const payout = seen(reply)
      const replayed = reply.headers.get('idempotent-replayed') === 'true' ? ' (replayed)' : ''
      narrator.answer(reply.status, `${payout.id} ${ending(payout)}${replayed}`)
      return { outcome: `${reply.status} ${ending(payout)}${replayed}`, payout }
    },
    untilEnded: (id) => untilEnded(id, counted, options),
    async list(query) {
      const reply = await told('GET', `/v1/payouts?${query}`)
      const page = done(reply, Page)
      const more = page.next_cursor === null ? 'the last page' : 'and a next_cursor'
      narrator.answer(reply.status, `${page.data.length} payouts, ${more}`)
      return page
    },
    async topUpAddress() {
      const reply = await told('GET', '/v1/wallets')
      const [{ address } = { address: '' }] = done(reply, Wallet).top_up_addresses
      narrator.answer(reply.status, `top-up address ${address}`)
      return address
    },
    async askFaucet(request, key) {
      const reply = await told('POST', '/v1/sandbox/faucet', request, { 'idempotency-key': key })
      if (reply.status >= 300) return refused(reply)
      const { status, tx_hash } = done(reply, FaucetRecord)
      narrator.answer(reply.status, `${status}, transaction ${tx_hash.slice(0, 16)}…`)
      return `${reply.status} ${status}`
    },
    ...webhooks(counted, narrator),
    read: async (path, shape) => done(await ask('GET', path), shape),
    available: async () => micro(done(await ask('GET', '/v1/wallets'), Wallet).available),
    payments,
  }
}

/** What a shop does to its webhook endpoints. */
const webhooks = (
  { told, done }: ReturnType<typeof counter>,
  narrator: Narrator,
): Pick<Shop, 'addWebhook' | 'testWebhook' | 'removeWebhook'> => ({
  async addWebhook(url) {
    const reply = await told('POST', '/v1/webhooks', { url })
    const endpoint = done(reply, NewWebhook)
    narrator.answer(reply.status, `${endpoint.id}, secret ${endpoint.secret.slice(0, 10)}…`)
    return endpoint
  },
  async testWebhook(id) {
    const reply = await told('POST', `/v1/webhooks/${id}/test`)
    const { event_id, delivered } = done(reply, Tested)
    const outcome = delivered ? 'delivered' : 'not delivered'
    narrator.answer(reply.status, outcome)
    return { event_id, outcome: `${reply.status} ${outcome}` }
  },
  async removeWebhook(id) {
    const { status } = await told('DELETE', `/v1/webhooks/${id}`)
    narrator.answer(status, 'the endpoint is gone')
  },
})

/** `2.550839` is `2550839n`. */
export const micro = (usdt: string): bigint => BigInt(usdt.replace('.', ''))

/** Where requests go out and answers come in. */
function counter({ baseUrl, apiKey, narrator }: ShopOptions) {
  type Headers = Readonly<Record<string, string>>
  const ask = (method: string, path: string, body?: unknown, more: Headers = {}) => {
    const request = { method, path, headers: { 'x-api-key': apiKey, ...more } }
    return askJson(baseUrl, body === undefined ? request : { ...request, body })
  }
  const told = (method: string, path: string, body?: unknown, more?: Headers) => {
    narrator.request(method, path, body)
    return ask(method, path, body, more)
  }
  const refused = ({ status, json }: JsonReply): string => {
    const { error } = z.object({ error: Failure }).parse(json)
    narrator.answer(status, `${error.code}: ${error.message}`)
    return `${status} ${error.code}`
  }
  const done = <T extends z.ZodType>(reply: JsonReply, shape: T): z.output<T> => {
    if (reply.status >= 300) throw new Error(`unexpected answer ${refused(reply)}`)
    return shape.parse(reply.json)
  }
  const payments = new Map<string, Payout>()
  const seen = (reply: JsonReply): Payout => {
    const payout = done(reply, Payout)
    payments.set(payout.id, payout)
    return payout
  }
  return { ask, told, refused, done, seen, payments }
}

async function untilEnded(
  id: string,
  { ask, seen }: ReturnType<typeof counter>,
  { narrator, pause }: ShopOptions,
): Promise<Payout> {
  const path = `/v1/payouts/${id}`
  narrator.request('GET', path, undefined)
  for (let times = 1; times <= pollMax; times += 1) {
    const reply = await ask('GET', path)
    const payout = seen(reply)
    if (payout.status !== 'processing') {
      narrator.answer(reply.status, `${ending(payout)} (asked ${times} times)`)
      return payout
    }
    await pause(pollMs)
  }
  throw new Error(`payout ${id} has not ended in ${(pollMs * pollMax) / 1000} s`)
}

const inWords = ({ currency, amount }: z.output<typeof Amount>): string => `${currency} ${amount}`

const ending = ({ status, error }: Payout): string => (error ? `${status} ${error.code}` : status)
