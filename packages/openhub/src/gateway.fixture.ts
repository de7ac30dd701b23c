import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { bob, idSource, type QrNetwork } from '@quipu/core'
import type { PaymentOrder } from '@quipu/core/adapter'
import { onTestFinished } from 'vitest'
import { openHub } from './openhub.ts'
import type { OpenHubOptions } from './options.ts'

export const nit = '1029384756'
export const account = '7010999001'
export const clientSecret = 'the client’s secret'
/** 14:05:09 in Bolivia. */
const start: Date = new Date('2026-11-20T18:05:09.000Z')

/** An answer: status and text. `null` destroys the connection after the request has arrived. */
export type Scripted = readonly [status: number, body: string] | null
export type Operation = 'token' | 'scan' | 'confirm' | 'status' | 'saldos' | 'debitos' | 'creditos'
export type SeenCall = {
  readonly operation: Operation
  readonly path: string
  readonly body: string
  readonly headers: IncomingMessage['headers']
}

const envelope = (data: object | readonly object[], code = '00'): Scripted => [200, JSON.stringify({ data, code })]
export const code = (text: string, status = 200): Scripted => [
  status,
  JSON.stringify({ code: text, errorMessage: `La cuenta ${account} no procede` }),
]

/** Answers of a working OpenHub; a test replaces what it is about. */
const usual = (): Record<Operation, (call: SeenCall) => Scripted> => ({
  token: () => [201, '{"access_token":"token-1","token_type":"access_token","expires_in":3600}'],
  scan: () => envelope(reading),
  confirm: ({ body }) =>
    envelope({ ...transaction, transaccionId: (JSON.parse(body) as { transaccionId: string }).transaccionId }),
  status: () => code('04'),
  saldos: () => envelope([balance]),
  debitos: () => envelope([]),
  creditos: () => envelope([]),
})

export const reading = {
  importe: 42.5,
  moneda: 'BOB',
  glosa: '11190042 Almuerzo mesa 4',
  numeroReferencia: '547261120000004711',
  cuentaDestino: '4010077123',
  ciNitDestino: '1023456021',
  titularDestino: 'SALTEÑERÍA EL PRADO',
  codigoBancoDestino: '51002',
  nombreBancoDestino: 'ADMINISTRADORA DEMO S.A.',
  fechaVencimiento: '2026-11-20',
}

const transaction = {
  numeroReferencia: '547261120000004711',
  fechaHoraTransaccion: '2026-11-20T14:05:09.320',
  numOrdenAch: '14262611200249000042',
  importe: 42.5,
  moneda: 'BOB',
  estado: 'APROBADA',
}

export const balance: Record<string, unknown> = {
  estado: 'ACTIVA',
  numeroCuenta: account,
  tipoMoneda: 'BOB',
  saldoDisponible: 81_250.75,
  saldoContable: 81_400.75,
}

/** A debit of an order. */
export const debitOf = (transactionId: string): Record<string, unknown> => ({
  transactionId,
  tipoOperacion: 'PAYOUT QR',
  estado: 'COMPLETADO',
  fechaHoraTransaccion: '2026-11-20T14:05:09',
  importe: 42.5,
  importeComision: 0,
  moneda: 'BOB',
  numeroReferencia: '20261120140507',
  numOrdenAch: '14262611200249000042',
})

export const listed = (...rows: readonly object[]): Scripted => envelope(rows)
export const paidAs = (members: object): Scripted => envelope({ ...transaction, ...members })
export const readAs = (members: object): Scripted => envelope({ ...reading, ...members })

const ids = idSource((size) => crypto.getRandomValues(new Uint8Array(size)))

/** An order of the QR of `reading`. */
export const anOrder = (over: Partial<PaymentOrder> = {}): PaymentOrder => ({
  reference: ids.next('po', start),
  networkRef: reading.numeroReferencia,
  content: 'kJ3v==|5a0d00c1',
  amountMode: 'closed',
  amount: bob(42_50n),
  description: null,
  ...over,
})

export type Gateway = {
  readonly network: QrNetwork & { stop(): Promise<void> }
  readonly url: string
  readonly seen: SeenCall[]
  readonly answers: Record<Operation, (call: SeenCall) => Scripted>
  /** The calls of an operation. */
  of(operation: Operation): readonly SeenCall[]
  /** Moves the clock, and the monotonic one. */
  advance(ms: number): void
}

/** An OpenHub whose answers a test writes, and the adapter to it. */
export async function startGateway(options: Partial<OpenHubOptions> = {}): Promise<Gateway> {
  const seen: SeenCall[] = []
  const answers = usual()
  const server = createServer((request, response) => void answer(request, response))
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url = '', headers } = request
    const operation = operationOf(url)
    const call = { operation, path: url, headers, body: Buffer.concat(chunks).toString() }
    seen.push(call)
    const scripted = answers[operation](call)
    if (!scripted) return void response.destroy()
    response.writeHead(scripted[0], { 'content-type': 'application/json' }).end(scripted[1])
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hub/`
  let passedMs = 0
  const network = openHub({
    url,
    credentials: { clientId: 'the-client', clientSecret },
    nit,
    sourceAccount: account,
    now: () => new Date(start.getTime() + passedMs),
    monotonic: () => passedMs,
    ...options,
  })
  onTestFinished(async () => {
    server.close()
    server.closeAllConnections()
    await network.stop()
  })
  const of = (operation: Operation): readonly SeenCall[] => seen.filter((call) => call.operation === operation)
  return { network, url, seen, answers, of, advance: (ms) => void (passedMs += ms) }
}

function operationOf(path: string): Operation {
  const found = (['scan', 'confirm', 'status', 'saldos', 'debitos', 'creditos'] as const).find((name) =>
    path.includes(`/${name}`),
  )
  return found ?? 'token'
}
