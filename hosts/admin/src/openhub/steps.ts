import { toDecimal, parseMoney, bob } from '@quipu/core'
import { answered, type Exchange, type OpenHubAccess, type OpenHubClient } from './openhub-client.ts'
import type { QuestionName } from './questions.ts'

/** Facts of earlier steps, by name. Kept between runs. */
export type Facts = Record<string, string>

/** The means of a step. */
export type Tools = {
  readonly client: OpenHubClient
  readonly access: OpenHubAccess
  readonly facts: Facts
  /** A token that lasts through the step. @throws Error without one */
  readonly token: () => Promise<string>
  /** Another QR with, or without, an amount, from the command line. */
  readonly closedQr: () => string
  readonly openQr: () => string
  /** BOB for an open QR. */
  readonly amount: string
  /** Another transaction id; it is not one of an earlier run. */
  readonly transactionId: (tail?: string) => string
  readonly now: () => Date
}

/** One step of the certification. */
export type Step = {
  readonly name: string
  readonly answers: readonly QuestionName[]
  /** The fact with the time that the step follows, and by how much. Left out: it follows its predecessor. */
  readonly after?: { readonly fact: string; readonly seconds: number }
  /** Its last answer must take the order: the steps that follow need it. */
  readonly isNeeded?: true
  readonly run: (tools: Tools) => Promise<readonly Exchange[]>
}

const scan = (tools: Tools, token: string, qr: string): Promise<Exchange> =>
  tools.client.qr('POST', 'scan', token, JSON.stringify({ imagen: qr }))

const referenceOf = (exchange: Exchange): string => answered(exchange, 'data.numeroReferencia') ?? ''

type Order = {
  readonly reference: string
  readonly transactionId: string
  readonly amount: string
  readonly glosa?: string
}

/** Amounts are written as they are: a closed QR wants the number `0.00`. */
async function confirm(tools: Tools, order: Order, token?: string): Promise<Exchange> {
  const { reference, transactionId, amount, glosa } = order
  const text = [
    `"numeroReferencia":${JSON.stringify(reference)}`,
    `"cuentaOrigen":${JSON.stringify(tools.access.account)}`,
    `"transaccionId":${JSON.stringify(transactionId)}`,
    `"importe":${amount}`,
    ...(glosa === undefined ? [] : [`"glosa":${JSON.stringify(glosa)}`]),
  ]
  return tools.client.qr('POST', 'confirm', token ?? (await tools.token()), `{${text.join()}}`)
}

/** Reads an open QR and pays it. */
async function payOpen(tools: Tools, order: Partial<Order>): Promise<readonly Exchange[]> {
  const token = await tools.token()
  const reading = await scan(tools, token, tools.openQr())
  const made = { transactionId: tools.transactionId(), amount: tools.amount, ...order, reference: referenceOf(reading) }
  return [reading, await confirm(tools, made, token)]
}

const status = async (tools: Tools, fact: string): Promise<Exchange> =>
  tools.client.qr('GET', `status/${encodeURIComponent(tools.facts[fact] ?? '')}`, await tools.token())

/** The balance, and the debits from the Bolivian day of the first payment, or of today, to today. */
async function account(tools: Tools): Promise<readonly Exchange[]> {
  const { access, client, facts, now } = tools
  const token = await tools.token()
  const day = (at: Date): string => new Date(at.getTime() - 4 * 3_600_000).toISOString().slice(0, 10)
  const [today, first] = [day(now()), day(facts['paidAt'] === undefined ? now() : new Date(facts['paidAt']))]
  const balance = await client.account(
    'saldos',
    token,
    JSON.stringify({ nit: access.nit, numeroCuentas: [access.account] }),
  )
  const period = { nit: access.nit, numeroCuenta: [access.account], fechaInicio: first, fechaFin: today, tipo: 'D' }
  facts['balance'] = answered(balance, 'data.0.saldoDisponible') ?? ''
  return [balance, await client.account('debitos', token, JSON.stringify(period))]
}

const keepReading = ({ facts }: Tools, reading: Exchange): void => {
  facts['reading'] = referenceOf(reading)
  facts['hasDescription'] = String(!['', 'N/A'].includes(answered(reading, 'data.glosa')?.trim() ?? ''))
}

/** The order of the reading of a closed QR. One without a description needs ours. */
const closedOrder = ({ facts }: Tools, transactionId: string): Order => ({
  reference: facts['reading'] ?? '',
  transactionId,
  amount: '0.00',
  ...(facts['hasDescription'] !== 'true' && { glosa: 'Pago QR' }),
})

/** Pays a closed QR, and keeps what later steps repeat. After a lost answer or a refusal: another reading. */
async function payClosed(tools: Tools): Promise<readonly Exchange[]> {
  const { facts } = tools
  const again = facts['paidAt'] === undefined ? [] : [await scan(tools, await tools.token(), tools.closedQr())]
  for (const reading of again) keepReading(tools, reading)
  const transactionId = tools.transactionId()
  facts['transaction'] = transactionId
  facts['paidAt'] = tools.now().toISOString()
  const paid = await confirm(tools, closedOrder(tools, transactionId))
  facts['order'] = referenceOf(paid)
  return [...again, paid]
}

/** Takes a token twice, and reads a QR with the first one. */
async function tokenTwice(tools: Tools): Promise<readonly Exchange[]> {
  const first = await tools.client.token()
  const token = answered(first, 'access_token') ?? ''
  const second = await tools.client.token()
  tools.facts['firstToken'] = token
  const life = Number(answered(first, 'expires_in') ?? '3600')
  tools.facts['firstTokenEnds'] = new Date(tools.now().getTime() + life * 1000).toISOString()
  return [first, second, await scan(tools, token, tools.openQr())]
}

async function readTwice(tools: Tools): Promise<readonly Exchange[]> {
  const [token, qr] = [await tools.token(), tools.closedQr()]
  const first = await scan(tools, token, qr)
  const second = await scan(tools, token, qr)
  keepReading(tools, second)
  return [first, second]
}

/** Orders the reading of the paid QR again. */
const payAgain = (tools: Tools, transactionId: string | undefined): Promise<Exchange> =>
  confirm(tools, closedOrder(tools, transactionId ?? ''))

async function repeatWithNewReading(tools: Tools): Promise<readonly Exchange[]> {
  return payOpen(tools, { transactionId: tools.facts['transaction'] ?? '', glosa: 'Pago QR' })
}

async function payAboveBalance(tools: Tools): Promise<readonly Exchange[]> {
  const [balance] = await account(tools)
  const available = parseMoney('BOB', tools.facts['balance'] ?? '')
  if (balance === undefined || available === undefined) throw new Error('the balance could not be read')
  const amount = toDecimal(bob(available.minor + 1n))
  return [balance, ...(await payOpen(tools, { amount, glosa: 'Pago QR' }))]
}

/** With the first token, which has ended. Without the answer of a gateway it might be paid. */
async function payWithEndedToken(tools: Tools): Promise<readonly Exchange[]> {
  const reading = await scan(tools, await tools.token(), tools.openQr())
  const order = { reference: referenceOf(reading), transactionId: tools.transactionId(), amount: tools.amount }
  const paid = await confirm(tools, { ...order, glosa: 'Pago QR' }, tools.facts['firstToken'] ?? '')
  delete tools.facts['firstToken']
  return [reading, paid]
}

const accents = (length: number): string => 'Almuerzo ñandú áéíóú '.repeat(5).slice(0, length).replace(/ $/, '.')

const afterPayment = (seconds: number): NonNullable<Step['after']> => ({ fact: 'paidAt', seconds })

/** The steps, in the order in which each needs what those before have made. */
export const steps: readonly Step[] = [
  { name: 'token-twice', answers: ['T3'], run: tokenTwice },
  { name: 'account-before', answers: [], run: account },
  { name: 'read-twice', answers: ['Q1'], run: readTwice },
  { name: 'status-unordered', answers: ['C9'], run: async (tools) => [await status(tools, 'reading')] },
  { name: 'pay-closed', answers: ['C7'], run: payClosed, isNeeded: true },
  { name: 'status-of-reading', answers: ['C1'], run: async (tools) => [await status(tools, 'reading')] },
  { name: 'status-of-order', answers: ['C1'], run: async (tools) => [await status(tools, 'order')] },
  { name: 'pay-again', answers: ['C2'], run: async (tools) => [await payAgain(tools, tools.facts['transaction'])] },
  { name: 'pay-again-other-id', answers: ['C2'], run: async (tools) => [await payAgain(tools, tools.transactionId())] },
  { name: 'pay-same-id', answers: ['C3'], run: repeatWithNewReading },
  {
    name: 'read-paid',
    answers: ['Q2'],
    run: async (tools) => [await scan(tools, await tools.token(), tools.facts['closedQr'] ?? '')],
  },
  { name: 'pay-open', answers: [], run: (tools) => payOpen(tools, { glosa: 'Pago QR' }) },
  { name: 'pay-open-no-description', answers: ['C8'], run: (tools) => payOpen(tools, {}) },
  {
    name: 'pay-underscore',
    answers: ['C6'],
    run: (tools) => payOpen(tools, { transactionId: tools.transactionId('_a'), glosa: 'Pago QR' }),
  },
  {
    name: 'pay-32-characters',
    answers: ['C6'],
    run: (tools) => payOpen(tools, { transactionId: tools.transactionId().padEnd(32, 'x'), glosa: 'Pago QR' }),
  },
  { name: 'description-100', answers: ['C8'], run: (tools) => payOpen(tools, { glosa: accents(100) }) },
  { name: 'description-101', answers: ['C8'], run: (tools) => payOpen(tools, { glosa: accents(101) }) },
  { name: 'pay-above-balance', answers: ['S'], run: payAboveBalance },
  { name: 'account-1-minute', answers: ['A3', 'A4'], after: afterPayment(60), run: account },
  { name: 'account-1-hour', answers: ['A4'], after: afterPayment(3_600), run: account },
  { name: 'pay-ended-token', answers: ['T4'], after: { fact: 'firstTokenEnds', seconds: 60 }, run: payWithEndedToken },
  { name: 'account-next-day', answers: ['A4'], after: afterPayment(86_400), run: account },
]
