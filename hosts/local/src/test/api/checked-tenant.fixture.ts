import { type CheckedApi, checkedApi, type ResponseBody } from './checked-api.fixture.ts'

/** A server of the API, and a key with every scope of a tenant with a balance. */
export type ApiTarget = { readonly baseUrl: string; readonly apiKey: string }

/** A tenant's calls. Each answer is validated against the server's OpenAPI document. */
export type CheckedTenant = ReturnType<typeof checkedTenant>

export const bob = (amount: string) => ({ currency: 'BOB', amount })
export const refusal = (status: number, code: string) => ({ status, json: { error: { code } } })

export function checkedTenant() {
  let server: CheckedApi
  let orders = 0
  const ask: CheckedApi['ask'] = (...args) => server.ask(...args)
  const post = (path: string, body?: unknown, headers?: object) => ask('POST', path, body, headers)
  const get = async (path: string): Promise<ResponseBody> => (await ask('GET', path)).json
  const qr = async (request: object = {}): Promise<string> => {
    const body = { amount_mode: 'closed', amount: '25.00', ...request }
    return (await post('/v1/sandbox/qr-codes', body)).json.content
  }
  const quote = async (): Promise<ResponseBody> => (await post('/v1/quotes', { target: bob('25.00') })).json
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
    /** Must be called first. */
    async open({ baseUrl, apiKey }: ApiTarget): Promise<void> {
      server = await checkedApi(baseUrl, apiKey)
    },
    called: () => server.called,
    operations: () => server.operations,
  }
}
