import { z } from 'zod'
import { isJsonNumber, type JsonNumber } from '../../exact-json.ts'
import type { Call } from '../../json-server.ts'
import { BobAmount } from '../../qr-network/payment/amount.ts'
import type { QrCode } from '../../qr-network/qr/qr-code.ts'
import type { Hub } from '../hub.ts'
import type { Order, State } from '../ledger/ledger-state.ts'
import { planOf } from '../plan.ts'
import { CodeRefusal, type Result } from '../route.ts'
import { courseOf, type Course, type Plan } from '../switches/replies.ts'
import { confirmMembers } from './order-members.ts'
import { checkExpiry } from './scan.ts'

const digits = (min: number, max: number): z.ZodType<string> => z.string().regex(new RegExp(`^\\d{${min},${max}}$`))

const ConfirmRequest = z.strictObject({
  numeroReferencia: digits(1, 20),
  cuentaOrigen: digits(6, 20),
  transaccionId: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/),
  /** The text of a number: `0.00` for a closed QR. */
  importe: z
    .custom<JsonNumber>(isJsonNumber)
    .transform(({ rawJSON }) => rawJSON)
    .pipe(z.string().regex(/^\d{1,12}(\.\d{1,2})?$/)),
  glosa: z.string().min(1).max(255).optional(),
})
type Confirm = z.infer<typeof ConfirmRequest>

export const transactionOf = ({ body }: Call): string | undefined =>
  z.object({ transaccionId: z.string() }).safeParse(body).data?.transaccionId

/** Pays a reading. Reading and writing the ledger is one synchronous step, so that concurrent orders are serialized. */
export async function confirm(hub: Hub, { body }: Call): Promise<Result> {
  const { switches, ledger } = hub
  const parsed = ConfirmRequest.safeParse(body)
  if (!parsed.success) throw invalid(parsed.error.issues.map(({ path }) => path.join('.')))
  const request = parsed.data
  await switches.gate.enter('before_paying', request.transaccionId)
  const replayed = ledger.byTransaction(request.transaccionId)[0]
  countRepetition(hub, request)
  if (replayed && switches.current().transaction_id_unique === 'replay') return { data: confirmMembers(replayed) }
  const { order, plan } = take(hub, request)
  if (order) await switches.gate.enter('after_paying', request.transaccionId)
  return {
    data: order ? confirmMembers(order) : {},
    reply: plan.confirm ?? (order?.state === 'SIN_CONFIRMAR' ? '94' : 'normal'),
  }
}

const invalid = (fields: readonly string[]): CodeRefusal =>
  new CodeRefusal('02', fields.map((field) => `El campo '${field}' no es válido`).join('; '), 400)

/** Checks the request and records its order. @returns no order if the plan has no effect */
function take(hub: Hub, request: Confirm): { readonly order: Order | null; readonly plan: Plan } {
  const { ledger, codec, timers } = hub
  const reading = ledger.reading(request.numeroReferencia)
  const code = reading && codec.decode(reading.content)
  if (!code) throw new CodeRefusal('04', 'No existe el número de referencia.')
  checkRepetition(hub, request)
  checkExpiry(hub, code)
  if (code.scenario === 'used') throw new CodeRefusal('14', 'El estado no es válido.')
  const { amount, glosa } = checkedContent(hub, request, code)
  if (!hub.accounts.includes(request.cuentaOrigen) || hub.switches.current().account_state !== 'ACTIVA')
    throw new CodeRefusal('15', 'No existe la cuenta.')
  const next = hub.switches.takeReply('confirm')
  const plan = next
    ? { confirm: next.reply, course: next.course, later_ms: next.later_ms }
    : planOf(hub, reading.content)
  const course = courseOf(plan)
  if (course === 'none') return { order: null, plan }
  const { reference_at_confirm, commission, commission_as, later_ms } = hub.switches.current()
  const taken = BobAmount.parse(commission)
  if (amount + taken > ledger.available(request.cuentaOrigen)) throw new CodeRefusal('13', 'Saldo insuficiente.')
  const [state, later] = statesOf[course]
  const order = ledger.record({
    transaccionId: request.transaccionId,
    scanned: request.numeroReferencia,
    hasOwnReference: reference_at_confirm === 'new',
    account: request.cuentaOrigen,
    amount,
    commission: taken,
    isCommissionRow: commission_as === 'row',
    glosa,
    merchant: code.merchant,
    state,
    next: later ? { state: later, at: timers.now() + (plan.later_ms ?? later_ms) } : null,
  })
  hub.schedule(order)
  return { order, plan }
}

/** The states of each course: at once, and later. */
const statesOf: Readonly<Record<Exclude<Course, 'none'>, readonly [now: State, later?: State]>> = {
  paid: ['APROBADA'],
  rejected: ['RECHAZADA'],
  in_process_paid: ['EN_PROCESO', 'APROBADA'],
  in_process_rejected: ['EN_PROCESO', 'RECHAZADA'],
  in_process: ['EN_PROCESO'],
  pending_paid: ['PENDIENTE_CONFIRMACION', 'APROBADA'],
  pending_rejected: ['PENDIENTE_CONFIRMACION', 'RECHAZADA'],
  pending: ['PENDIENTE_CONFIRMACION'],
  unconfirmed_paid: ['SIN_CONFIRMAR', 'APROBADA'],
  unconfirmed_rejected: ['SIN_CONFIRMAR', 'RECHAZADA'],
  unpaid: ['SIN_CONFIRMAR'],
  paid_returned: ['APROBADA', 'REVERTIDO'],
}

const isReadingUsed = ({ ledger }: Hub, { numeroReferencia }: Confirm): boolean =>
  ledger.byReference(numeroReferencia).length > 0
const isTransactionUsed = ({ ledger }: Hub, { transaccionId }: Confirm): boolean =>
  ledger.byTransaction(transaccionId).length > 0

function countRepetition(hub: Hub, request: Confirm): void {
  if (isReadingUsed(hub, request)) hub.breaches.reading_confirmed_again += 1
  if (isTransactionUsed(hub, request)) hub.breaches.transaction_id_again += 1
}

function checkRepetition(hub: Hub, request: Confirm): void {
  const { reading_single_use, transaction_id_unique } = hub.switches.current()
  if (isReadingUsed(hub, request) && reading_single_use) throw new CodeRefusal('14', 'El estado no es válido.')
  if (!isTransactionUsed(hub, request) || transaction_id_unique === 'off') return
  if (transaction_id_unique === '02') throw invalid(['transaccionId'])
  throw new CodeRefusal('14', 'El estado no es válido.')
}

/** A closed QR is paid with `0.00`, and a QR with a description without one. */
function checkedContent(
  { breaches, switches }: Hub,
  { importe, glosa }: Confirm,
  code: QrCode,
): { readonly amount: bigint; readonly glosa: string } {
  if (code.amount === null && /^0(\.0+)?$/.test(importe)) throw new CodeRefusal('11', 'Falta el importe.')
  if (code.amount !== null && importe !== '0.00') {
    breaches.closed_amount_sent += 1
    if (switches.current().closed_amount === 'refused') throw invalid(['importe'])
  }
  if (code.description !== null && glosa !== undefined) throw invalid(['glosa'])
  const description = code.description ?? glosa?.trim() ?? ''
  if (description === '') throw new CodeRefusal('12', 'Falta la glosa.')
  return { amount: code.amount ?? BobAmount.parse(importe), glosa: description }
}
