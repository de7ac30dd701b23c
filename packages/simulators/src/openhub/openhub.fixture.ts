import { onTestFinished } from 'vitest'
import { request, type Reply } from '../qr-network/qr-network.fixture.ts'
import type { PlannedQrRequest } from './admin/controls.ts'
import type { Plan } from './switches/replies.ts'
import { startOpenHub, type OpenHubOptions, type OpenHubSimulator } from './start-openhub.ts'

const clientId = 'client'
export const clientSecret = 'client-secret'
export const nit = '1029384756'
export const account = '7010999001'

/** A network with a stepped clock, and a client of it. */
export type OpenHubFixture = {
  readonly hub: OpenHubSimulator
  /** A request with a token. */
  ask(method: string, path: string, body?: unknown): Promise<Reply>
  /** The same. @returns the text of the answer */
  askText(method: string, path: string, body?: unknown): Promise<string>
  admin(method: string, path: string, body?: unknown): Promise<Reply>
  /** Issues and scans a QR; by default a closed one for 100.00 with a description. @returns the content and the data of `scan` */
  scan(
    request?: Partial<PlannedQrRequest>,
  ): Promise<{ readonly content: string; readonly data: Record<string, unknown> }>
  /** Confirms a reading; by default of a closed QR. */
  confirm(transaccionId: string, numeroReferencia: unknown, more?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Scans and confirms a QR of 100.00 with this plan. @returns the answer, and the reference of its reading */
  pay(transaccionId: string, plan?: Plan): Promise<Reply & { readonly scanned: string }>
  status(numeroReferencia: unknown): Promise<Reply>
  movements(type: 'D' | 'C', day: string, more?: Readonly<Record<string, unknown>>): Promise<Reply>
  /** Debits of the day. */
  debits(day: string): Promise<Record<string, unknown>[]>
  /** Gets a token for the calls that follow. */
  renew(): Promise<Reply>
  /** Advances the clock. */
  step(ms: number): void
}

export const qrPath = '/payout/sync/v3/qr'
export const accountsPath = '/cuentas-comercios/v1/cuentas'

/** Starts a network that stops at the end of the test. It is 2026-11-20, 22:00 in Bolivia. */
export async function startOpenHubFixture(options: Partial<OpenHubOptions> = {}): Promise<OpenHubFixture> {
  let now = Date.parse('2026-11-21T02:00:00.320Z')
  const hub = await startOpenHub({ clientId, clientSecret, now: () => new Date(now), ...options })
  onTestFinished(() => hub.stop())
  let token = ''
  const ask: OpenHubFixture['ask'] = (method, path, body) =>
    request(hub.url + path, method, body, { access_token: token, client_id: clientId })
  const askText: OpenHubFixture['askText'] = async (method, path, body) => {
    const headers = { access_token: token, client_id: clientId }
    const answer = await fetch(hub.url + path, {
      method,
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return answer.text()
  }
  const renew: OpenHubFixture['renew'] = async () => {
    const answer = await getToken(hub.url, clientSecret)
    token = String(answer.body['access_token'])
    return answer
  }
  const scan: OpenHubFixture['scan'] = async (over = {}) => {
    const amount = over.amount_mode === 'open' ? {} : { amount: '100.00' }
    const { content } = hub.issueQr({ amount_mode: 'closed', description: 'Almuerzo', ...amount, ...over })
    const { body } = await ask('POST', `${qrPath}/scan`, { imagen: content })
    return { content, data: (body['data'] ?? {}) as Record<string, unknown> }
  }
  const confirm: OpenHubFixture['confirm'] = (transaccionId, numeroReferencia, more = {}) => {
    const order = { numeroReferencia, cuentaOrigen: account, transaccionId, importe: 0, ...more }
    const text = JSON.stringify(order)
      .replace('"importe":0,', '"importe":0.00,')
      .replace('"importe":0}', '"importe":0.00}')
    return ask('POST', `${qrPath}/confirm`, text)
  }
  const movements: OpenHubFixture['movements'] = (tipo, day, more = {}) => {
    const range = { nit, numeroCuenta: [account], fechaInicio: day, fechaFin: day, tipo, ...more }
    return ask('POST', `${accountsPath}/${tipo === 'D' ? 'debitos' : 'creditos'}`, range)
  }
  await renew()
  return {
    hub,
    ask,
    askText,
    admin: (method, path, body) => request(hub.adminUrl + path, method, body, { 'content-type': 'application/json' }),
    scan,
    confirm,
    async pay(transaccionId, plan = {}) {
      const { data } = await scan(plan)
      const scanned = String(data['numeroReferencia'])
      return { ...(await confirm(transaccionId, scanned)), scanned }
    },
    status: (numeroReferencia) => ask('GET', `${qrPath}/status/${String(numeroReferencia)}`),
    movements,
    debits: async (day) => (await movements('D', day)).body['data'] as Record<string, unknown>[],
    renew,
    step: (ms) => void (now += ms),
  }
}

export const getToken = (url: string, secret: string, query = 'grant_type=client_credentials'): Promise<Reply> =>
  request(`${url}/oauth-client-credentials/access-token?${query}`, 'POST', undefined, {
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
  })
