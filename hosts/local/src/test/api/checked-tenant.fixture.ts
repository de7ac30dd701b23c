import { type Documented, documented, type Seen } from './checked-api.fixture.ts'

/** A server of the API, and a key of a tenant that has money and every scope. */
export type Subject = { readonly baseUrl: string; readonly apiKey: string }

/** A tenant who asks a server, each answer of which is held to the document that it serves. */
export type Buyer = ReturnType<typeof buyer>

export const bob = (amount: string) => ({ currency: 'BOB', amount })
export const refusal = (status: number, code: string) => ({ status, json: { error: { code } } })

export function buyer() {
  let server: Documented
  let orders = 0
  const ask: Documented['ask'] = (...given) => server.ask(...given)
  const post = (path: string, body?: unknown, headers?: object) => ask('POST', path, body, headers)
  const get = async (path: string): Promise<Seen> => (await ask('GET', path)).json
  const qr = async (request: object = {}): Promise<string> => {
    const wanted = { amount_mode: 'closed', amount: '25.00', ...request }
    return (await post('/v1/sandbox/qr-codes', wanted)).json.content
  }
  const quote = async (): Promise<Seen> => (await post('/v1/quotes', { target: bob('25.00') })).json
  const order = async (content: string, quoteId?: string) => ({
    transaction_id: `black-box-${Date.now()}-${++orders}`,
    type: 'qr',
    quote_id: quoteId ?? (await quote()).id,
    qr: { content },
  })
  const pay = async (content: string) => post('/v1/payouts', await order(content))
  return {
    ask,
    post,
    get,
    qr,
    quote,
    order,
    pay,
    /** Must be called before anything is asked. */
    async open({ baseUrl, apiKey }: Subject): Promise<void> {
      server = await documented(baseUrl, apiKey)
    },
    asked: () => server.asked,
    operations: () => server.operations,
  }
}
