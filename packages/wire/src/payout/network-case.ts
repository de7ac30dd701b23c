import { type Payout, toDecimal } from '@quipu/core'
import type { NetworkCall, NetworkCallKind, PayoutHistory } from '@quipu/core/operator'
import { z } from 'zod'

const languages = ['en', 'es'] as const
type Language = (typeof languages)[number]
type Text = Readonly<Record<Language, string>>

/** The text for the network's support about a payout in doubt, by language. */
export const networkCase = z
  .object({
    en: z.string().meta({ examples: ['Our transaction id: po_01K1B2C3D4E5F6G7H8J9K0M1N2'] }),
    es: z.string().meta({ examples: ['Nuestro id de transacción: po_01K1B2C3D4E5F6G7H8J9K0M1N2'] }),
  })
  .nullable()
  .meta({
    description:
      'For the network’s support: the payout’s facts and the calls about it, to copy. Null unless the payout is in `processing` or an open difference contradicts it.',
  })
export type NetworkCaseJson = z.output<typeof networkCase>

/** Questions to the network. */
export const networkCallWords: Readonly<Record<NetworkCallKind, Text>> = {
  pay: { en: 'order', es: 'orden de pago' },
  status: { en: 'status query', es: 'consulta de estado' },
  cancel: { en: 'cancellation', es: 'anulación' },
}

/** Answers of the network. */
export const networkAnswerWords: Readonly<Record<NetworkCall['answer'], Text>> = {
  paid: { en: 'paid', es: 'pagado' },
  refused_payment: { en: 'payment refused', es: 'pago rechazado' },
  refused_qr: { en: 'QR refused', es: 'QR rechazado' },
  no_liquidity: { en: 'insufficient balance', es: 'saldo insuficiente' },
  limit: { en: 'above a limit', es: 'excede un límite' },
  not_sent: { en: 'not sent', es: 'no enviado' },
  cancelled: { en: 'cancelled', es: 'anulado' },
  pending: { en: 'in process', es: 'en proceso' },
  not_seen: { en: 'reference not found', es: 'referencia no encontrada' },
  returned: { en: 'paid, then returned', es: 'pagado y luego devuelto' },
  unknown: { en: 'no valid answer', es: 'sin respuesta válida' },
}

const words = {
  title: { en: 'QR payment in doubt', es: 'Pago QR en duda' },
  reference: { en: 'Reference', es: 'Número de referencia' },
  transaction: { en: 'Our transaction id', es: 'Nuestro id de transacción' },
  payment: { en: 'Payment id', es: 'Id del pago' },
  amount: { en: 'Amount', es: 'Importe' },
  accepted: { en: 'Ordered at about (Bolivia)', es: 'Ordenado aproximadamente (Bolivia)' },
  calls: { en: 'Calls (Bolivia)', es: 'Llamadas (Bolivia)' },
  until: { en: 'until', es: 'hasta' },
  none: { en: 'unknown', es: 'desconocido' },
  noCalls: { en: 'no answer is on record', es: 'no hay respuesta registrada' },
  question: {
    en: 'Please state in writing: was this payment made (id, amount, time)? If not: was nothing debited, and can no payment follow?',
    es: 'Por favor confirmen por escrito: ¿se realizó este pago (id, importe, hora)? Si no: ¿no hubo débito y ya no puede realizarse?',
  },
} satisfies Readonly<Record<string, Text>>

/** A payout that people may have to settle, or whose settlement the network contradicts, has a text. */
export function networkCaseToJson({ record, networkCalls, differences }: PayoutHistory): NetworkCaseJson {
  const { payout } = record
  const isContradicted = differences.some(({ check, status }) => check === 'network' && status === 'open')
  if (payout.quote === null || (payout.status !== 'processing' && !isContradicted)) return null
  const write = (language: Language): string => caseText(payout, networkCalls, language)
  return { en: write('en'), es: write('es') }
}

function caseText(
  payout: Extract<Payout, { quote: object }>,
  calls: readonly NetworkCall[],
  language: Language,
): string {
  const paymentId = payout.status === 'completed' ? payout.networkPaymentId : null
  const facts: readonly (readonly [Text, string])[] = [
    [words.reference, payout.networkRef || words.none[language]],
    [words.transaction, payout.id],
    [words.payment, paymentId ?? words.none[language]],
    [words.amount, `BOB ${toDecimal(payout.target)}`],
    [words.accepted, bolivian(payout.createdAt)],
  ]
  const lines = runsOf(calls).map(([first, last, count]) => lineOf(first, last, count, language))
  return [
    words.title[language],
    ...facts.map(([name, value]) => `${name[language]}: ${value}`),
    `${words.calls[language]}:`,
    ...(lines.length === 0 ? [`- ${words.noCalls[language]}`] : lines),
    words.question[language],
  ].join('\n')
}

type Run = readonly [first: NetworkCall, last: NetworkCall, count: number]

/** Calls in a row that differ only in time are one line. */
function runsOf(calls: readonly NetworkCall[]): readonly Run[] {
  const runs: Run[] = []
  for (const call of calls) {
    const run = runs.at(-1)
    const [first, , count] = run ?? []
    const isSame = first?.kind === call.kind && first.answer === call.answer && first.detail === call.detail
    if (isSame && count !== undefined) runs.splice(-1, 1, [first, call, count + 1])
    else runs.push([call, call, 1])
  }
  return runs
}

function lineOf(first: NetworkCall, last: NetworkCall, count: number, language: Language): string {
  const { kind, answer, detail, createdAt } = first
  const times = count === 1 ? '' : ` ${words.until[language]} ${bolivian(last.createdAt)} (${count}×)`
  const said =
    detail === null ? networkAnswerWords[answer][language] : `${networkAnswerWords[answer][language]} (${detail})`
  return `- ${bolivian(createdAt)}${times}: ${networkCallWords[kind][language]}: ${said}`
}

/** Bolivia is four hours behind UTC all year. */
const bolivian = (at: Date): string =>
  new Date(at.getTime() - 4 * 3_600_000).toISOString().slice(0, 19).replace('T', ' ')
