import { createHash } from 'node:crypto'
import { type Bob, type NetworkCapabilities, type QrNetwork, toDecimal, Unavailable } from '@quipu/core'
import { idInstant, type NetworkAnswer, type PaymentOrder, type StatementRow } from '@quipu/core/adapter'
import { dateOf, datesBetween } from './bolivian-time.ts'
import { type MovementDays, movementDays } from './days.ts'
import { type Heard, silenceOf } from './envelope.ts'
import { bolivianosOf, memberOf, rowsOf, shown } from './fields.ts'
import { isPaymentOf, statementRowsOf } from './movements.ts'
import { type ConfirmOrder, openHubCalls } from './openhub-calls.ts'
import type { OpenHubOptions } from './options.ts'
import { confirmAnswer, isAmountMissing, statusAnswer } from './payment-answer.ts'
import { invalidQr, readingIn } from './reading.ts'

/** A burst of payouts in doubt costs one read of the debits. */
const proofFreshMs = 30_000
/** An order is debited on its date or soon after. The statement finds one that is later. */
const proofDatesMax = 8
/** Debits of a date are not expected this long after its end. */
const completeAfterMs = 3_600_000
/** Readings whose amounts are kept until their orders leave. */
const readingsMax = 10_000

/**
 * OpenHub of ATC as a `QrNetwork`, built from public facts and never run against ATC. The README has the rules.
 *
 * A confirm is sent at most once, for any reason. Payments are proved by their status, or by a debit of the account
 * with our id; nothing that OpenHub answers proves that an order was not paid, except `unpaidAfterSeconds`.
 */
export function openHub(options: OpenHubOptions): QrNetwork & { stop(): Promise<void> } {
  const { now, unpaidAfterSeconds = 0, qrOperations, isGatewayRefusalNotSent, descriptionMax = 100 } = options
  const { paymentCap } = options
  const calls = openHubCalls(options)
  const completeMs = Math.max(completeAfterMs, unpaidAfterSeconds * 1000)
  const days = movementDays({ calls, now, monotonic: options.monotonic }, completeMs)
  const amounts = new Map<string, Bob | null>()
  const status = async (reference: string, networkRef: string): Promise<NetworkAnswer> => {
    const heard = await calls.status(networkRef, reference).catch(notSent)
    const answer = statusAnswer(heard, { reference, networkRef })
    const isDecided = ['paid', 'refused_payment', 'returned', 'pending'].includes(answer.type)
    return isDecided ? answer : ((await provenPayment(days, reference, now())) ?? answer)
  }
  return {
    identity: options.identity ?? identityOf(options),
    capabilities: capabilitiesOf(options),
    async readQr(content, signal) {
      if (content.trim() === '') return invalidQr
      const read = readingIn(await calls.scan(content.trim(), signal))
      if (read.type !== 'read') return read
      amounts.set(read.networkRef, read.amount)
      for (const oldest of amounts.keys()) {
        if (amounts.size <= readingsMax) break
        amounts.delete(oldest)
      }
      return read
    },
    async pay(order) {
      if (paymentCap && order.amount.minor > paymentCap.minor) return { type: 'limit' }
      const body = confirmOf(order, amounts.get(order.networkRef) ?? null, descriptionMax)
      amounts.delete(order.networkRef)
      if (typeof body === 'string') return { type: 'not_sent', reason: body }
      const heard = await calls.confirm(body).catch(notSent)
      const answer = confirmAnswer(heard, order, isGatewayRefusalNotSent)
      if (answer.type !== 'unknown' || !isAmountMissing(heard)) return answer
      const known = await status(order.reference, answer.networkRef ?? order.networkRef)
      return known.type === 'paid' ? known : answer
    },
    status,
    async liquidity() {
      return { available: balanceIn(await calls.balances(), options.sourceAccount), at: now() }
    },
    statement: (from, to) => statementOf(days, from, to, { now: now(), qrOperations }),
    stop: calls.stop,
  }
}

/** Only a missing token throws: no byte of the request was written. */
function notSent(error: unknown): Heard {
  if (!(error instanceof Unavailable)) throw error
  return { type: 'not_sent', reason: error.message }
}

function capabilitiesOf({ unpaidAfterSeconds: afterSeconds }: OpenHubOptions): NetworkCapabilities {
  return {
    unpaidProof: afterSeconds === undefined ? { by: 'people' } : { by: 'statement', afterSeconds },
    identityProof: 'statement',
    isPayRepeatable: false,
    isReadingSingleUse: true,
    givesReferenceAtPay: true,
    hasCallbacks: false,
    statementGrain: 'day',
  }
}

/** Distinguishes accounts without showing one. */
function identityOf({ url, nit, sourceAccount }: OpenHubOptions): string {
  const { host, pathname } = new URL(url)
  const digest = createHash('sha256').update(`${nit}:${sourceAccount}`).digest('hex').slice(0, 16)
  return `openhub:${host}${pathname.replace(/\/+$/, '')}:…${sourceAccount.slice(-4)}:${digest}`
}

/**
 * The body of a confirm: a closed QR is ordered with 0.00, and its own amount is never sent.
 *
 * @param ownAmount  that of the QR, when this process has read it
 * @returns why OpenHub could not take it
 */
function confirmOf(order: PaymentOrder, ownAmount: Bob | null, descriptionMax: number): ConfirmOrder | string {
  const { reference, networkRef, amount, amountMode } = order
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(reference)) return 'the reference is no transaccionId'
  if (!/^\d{1,20}$/.test(networkRef)) return 'the reading is not one of OpenHub'
  if (amount.minor <= 0n) return 'the amount is not positive'
  if (amountMode === 'closed' && ownAmount && ownAmount.minor !== amount.minor)
    return 'the amount is not that of the QR'
  const glosa = order.description === null ? '' : shown(order.description, descriptionMax)
  return {
    numeroReferencia: networkRef,
    transaccionId: reference,
    importe: amountMode === 'closed' ? '0.00' : toDecimal(amount),
    ...(glosa !== '' && { glosa }),
  }
}

/** The payment of an order in the debits of its date and after. Undefined without one, which proves nothing. */
async function provenPayment(days: MovementDays, reference: string, now: Date): Promise<NetworkAnswer | undefined> {
  const dates = datesBetween(dateOf(idInstant(reference) ?? now), dateOf(now)).slice(0, proofDatesMax)
  for (const date of dates) {
    const debits = await days.of('debitos', date, proofFreshMs).catch(() => [])
    const { amount, paymentId } = debits.find(isPaymentOf(reference)) ?? {}
    if (amount && paymentId !== undefined) return { type: 'paid', amount, paymentId }
  }
  return undefined
}

function balanceIn(heard: Heard, account: string): Bob {
  const unavailable = (reason: string): Unavailable => new Unavailable('qr_network', `balance: ${reason}`)
  if (heard.type !== 'envelope') throw unavailable(silenceOf(heard))
  const { code, data, said } = heard
  if (code !== '00') throw unavailable(said)
  const row = rowsOf(data)?.find((each) => memberOf(each, 'numeroCuenta') === account)
  if (row === undefined) throw unavailable('the account is not in the answer')
  const state = memberOf(row, 'estado')?.toUpperCase()
  if (state !== 'ACTIVA') throw unavailable(`the account is ${shown(state ?? 'without a state', 40)}, not ACTIVA`)
  const currency = memberOf(row, 'tipoMoneda') ?? memberOf(row, 'moneda')
  if (currency?.toUpperCase() !== 'BOB') throw unavailable('the account is not in BOB')
  const available = bolivianosOf(row, 'saldoDisponible')
  if (!available) throw unavailable('no readable saldoDisponible')
  return available
}

type StatementOptions = { readonly now: Date; readonly qrOperations: readonly string[] | undefined }

/** One date at a time, as OpenHub lists whole Bolivian dates. Dates that have not begun are empty. */
async function* statementOf(
  days: MovementDays,
  from: Date,
  to: Date,
  { now, qrOperations }: StatementOptions,
): AsyncGenerator<StatementRow, void, undefined> {
  const last = to < now ? to : now
  for (const date of datesBetween(dateOf(from), dateOf(last))) {
    const [debits, credits] = await Promise.all([days.of('debitos', date, 0), days.of('creditos', date, 0)])
    for (const row of statementRowsOf(debits, credits, qrOperations))
      if (row.paidAt >= from && row.paidAt <= to) yield row
  }
}
