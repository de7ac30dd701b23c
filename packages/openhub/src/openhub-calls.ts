import { type JsonClient, jsonClient, type JsonRequest, parseExactJson } from '@quipu/http-json'
import { type Heard, heardIn, isTokenRefused } from './envelope.ts'
import type { OpenHubCredentials, OpenHubOptions } from './options.ts'
import { tokenKeeper } from './token.ts'
import { type OpenHubOperation, unfamiliarWatch } from './unfamiliar.ts'

/** A number of JSON with these digits: `0.00` stays `0.00`. */
const exactNumber = (digits: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(digits)

/** An order as OpenHub takes it. */
export type ConfirmOrder = {
  readonly numeroReferencia: string
  readonly transaccionId: string
  /** Written as a number with these digits. */
  readonly importe: string
  readonly glosa?: string
}

/**
 * The requests of OpenHub, one each. Reads are repeated once after a broken connection, and once with a new token when
 * the gateway refuses theirs; a confirm is sent once, for any reason.
 */
export type OpenHubCalls = {
  /** @throws Unavailable without a token */
  token(signal?: AbortSignal): Promise<string>
  scan(content: string, signal?: AbortSignal): Promise<Heard>
  confirm(order: ConfirmOrder): Promise<Heard>
  status(numeroReferencia: string, payoutId?: string): Promise<Heard>
  balances(): Promise<Heard>
  /** All debits or credits of the account on one Bolivian date: longer windows have limits, and grow without one. */
  movements(kind: MovementKind, date: string): Promise<Heard>
  /** Refuses new requests. Resolves when the running ones have ended. */
  stop(): Promise<void>
}

/** The two lists of movements: debits and credits. */
export type MovementKind = 'debitos' | 'creditos'

type Request = Omit<JsonRequest, 'headers'> & { readonly operation: OpenHubOperation }

/** The calls of the gateway, each sent at most once. */
export function openHubCalls(options: OpenHubOptions): OpenHubCalls {
  const client = clientOf(options)
  const { clientId } = options.credentials
  const token = tokenKeeper(() => client.send(tokenRequest(options)), options.monotonic)
  const qr = pathOf(options.qrPath ?? 'payout/sync/v3/qr')
  const accounts = pathOf(options.accountsPath ?? 'cuentas-comercios/v1/cuentas')
  const { nit, sourceAccount: account, accountsTimeoutMs: timeoutMs = 30_000 } = options

  const notice = options.onUnfamiliar && unfamiliarWatch(options.onUnfamiliar, secretsOf(options))
  const once = async ({ operation, ...request }: Request, held: string): Promise<Heard> => {
    const headers = {
      access_token: held,
      client_id: clientId,
      authorization: `Bearer ${held}`,
      'content-type': 'application/json',
    }
    const heard = heardIn(await client.send({ ...request, headers }))
    if (isTokenRefused(heard)) token.drop(held)
    notice?.(operation, heard)
    return heard
  }
  const read = async (request: Request): Promise<Heard> => {
    const asked: Request = { ...request, isRead: true }
    const heard = await once(asked, await token.get(request.signal))
    return isTokenRefused(heard) ? once(asked, await token.get(request.signal)) : heard
  }
  const post = (base: string, operation: OpenHubOperation, body: object) => {
    const path = `${base}/${operation}`
    return { operation, method: 'POST', path, template: path, body } as const
  }
  return {
    token: token.get,
    scan: (imagen, signal) =>
      read({ ...post(qr, 'scan', { imagen }), timeoutMs: options.scanTimeoutMs ?? 40_000, ...(signal && { signal }) }),
    async confirm({ importe, ...order }) {
      const body = { ...order, cuentaOrigen: account, importe: exactNumber(importe) }
      const held = await token.get()
      const sent = { ...post(qr, 'confirm', body), payoutId: order.transaccionId }
      return once({ ...sent, timeoutMs: options.confirmTimeoutMs ?? 90_000 }, held)
    },
    status: (numeroReferencia, payoutId) =>
      read({
        operation: 'status',
        method: 'GET',
        path: `${qr}/status/${encodeURIComponent(numeroReferencia)}`,
        template: `${qr}/status/{numeroReferencia}`,
        ...(payoutId !== undefined && { payoutId }),
        timeoutMs: options.statusTimeoutMs ?? 90_000,
      }),
    balances: () => read({ ...post(accounts, 'saldos', { nit, numeroCuentas: [account] }), timeoutMs }),
    movements: (kind, date) =>
      read({
        ...post(accounts, kind, {
          nit,
          numeroCuenta: [account],
          fechaInicio: date,
          fechaFin: date,
          tipo: kind === 'debitos' ? 'D' : 'C',
        }),
        timeoutMs,
        answerBytesMax: options.movementBytesMax ?? 64 * 1024 * 1024,
      }),
    stop: client.stop,
  }
}

const clientOf = ({ url, connectionsMax }: OpenHubOptions): JsonClient =>
  jsonClient({ url, scope: '@quipu/openhub', parse: parseExactJson, ...(connectionsMax && { connectionsMax }) })

const pathOf = (path: string): string => `/${path.replaceAll(/^\/+|\/+$/g, '')}`

/** The credentials as the header `Authorization` of a request for a token has them, after `Basic `. */
export const basicOf = (credentials: OpenHubCredentials): string =>
  'basicToken' in credentials
    ? credentials.basicToken.replace(/^basic\s+/i, '')
    : Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')

const secretsOf = ({ credentials, nit, sourceAccount }: OpenHubOptions): readonly string[] => [
  ...Object.values<string>(credentials).filter((text) => text !== ''),
  nit,
  sourceAccount,
]

function tokenRequest({ credentials, tokenPath }: OpenHubOptions): JsonRequest {
  const path = pathOf(tokenPath ?? 'oauth-client-credentials/access-token')
  return {
    method: 'POST',
    path: `${path}?grant_type=client_credentials`,
    template: path,
    headers: { authorization: `Basic ${basicOf(credentials)}`, 'content-type': 'application/x-www-form-urlencoded' },
    timeoutMs: 10_000,
    isRead: true,
  }
}
