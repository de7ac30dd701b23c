import { toDecimal, usdt } from '@quipu/core'
import { type Backlog, endingTokensMax } from '@quipu/core/adapter'
import { z } from 'zod'
import type { Installation } from './alert-to-json.ts'

/** The languages of the daily digest. */
export const digestLanguages = ['en', 'es'] as const
/** A language of the daily digest. */
export type DigestLanguage = (typeof digestLanguages)[number]

/** The state that a digest describes. */
export type DigestSource = {
  readonly backlog: Backlog
  /** Whether no payment begins. */
  readonly isHalted: boolean
  readonly isLiquidityWatched: boolean
}

const itemNames = {
  payments_halted: { en: 'Payments are halted', es: 'Los pagos están detenidos' },
  reviews: { en: 'Deposits in review', es: 'Depósitos en revisión' },
  differences: { en: 'Open differences', es: 'Diferencias abiertas' },
  approvals: { en: 'Approvals that wait', es: 'Aprobaciones que esperan' },
  liquidity: { en: 'Liquidity at the network', es: 'Liquidez en la red' },
  processing: { en: 'Payouts in processing', es: 'Pagos en proceso' },
  undecided: { en: 'Deposits not decided', es: 'Depósitos sin decidir' },
  endpoints_failing: { en: 'Webhook endpoints that fail', es: 'Destinos de webhooks que fallan' },
  endpoints_paused: { en: 'Webhook endpoints that are paused', es: 'Destinos de webhooks en pausa' },
  deliveries: { en: 'Webhooks that are due', es: 'Webhooks pendientes' },
  notices: { en: 'Notices to technical contacts that wait', es: 'Avisos a contactos técnicos que esperan' },
  tokens: { en: 'Operators’ tokens that end soon', es: 'Tokens de operadores que vencen pronto' },
} as const
type ItemName = keyof typeof itemNames

/** One line of a digest. */
const digestItem = z.object({
  name: z.string(),
  count: z.int().min(0),
  oldest_seconds: z.int().min(0).nullable().meta({ description: 'The age of the oldest; null where there is none.' }),
  detail: z.string().nullable().meta({ description: 'A sum, or words.' }),
})

/** A digest as the operator's gateway receives it. */
export const digest = z
  .object({
    type: z.literal('digest'),
    id: z.string(), // `digest.` and the day.
    day: z.string(),
    language: z.enum(digestLanguages),
    environment: z.enum(['sandbox', 'production']),
    cell: z.string().nullable(),
    items: z.array(digestItem),
    text: z.string().meta({ description: 'All of it for a person.' }),
  })
  .meta({ id: 'AlertDigest' })
export type DigestJson = z.output<typeof digest>

type Item = z.output<typeof digestItem> & { readonly name: ItemName }

const words = {
  title: { en: 'what waits', es: 'lo que espera' },
  nothing: { en: 'nothing waits', es: 'nada espera' },
  oldest: { en: 'oldest', es: 'el más antiguo' },
  low: { en: 'below the floor', es: 'bajo el mínimo' },
  enough: { en: 'above the floor', es: 'sobre el mínimo' },
  unwatched: { en: 'not watched', es: 'sin vigilar' },
} as const

/** The digest of a day. */
export function digestToJson(
  day: string,
  language: DigestLanguage,
  source: DigestSource,
  { environment, cell }: Pick<Installation, 'environment' | 'cell'>,
): DigestJson {
  const items = itemsOf(source, language)
  const lines = items
    .filter(({ count, name }) => count > 0 || name === 'liquidity')
    .map(({ name, count, oldest_seconds: age, detail }) => {
      const parts = [
        ...(name === 'liquidity' || name === 'payments_halted' ? [] : [String(count)]),
        ...(detail === null ? [] : [detail]),
        ...(age === null ? [] : [`${words.oldest[language]} ${ageOf(age)}`]),
      ]
      return `${itemNames[name][language]}${parts.length === 0 ? '' : `: ${parts.join(', ')}`}`
    })
  const isQuiet = items.every(({ count }) => count === 0)
  const title = `Quipu ${environment} ${day}: ${isQuiet ? words.nothing[language] : words.title[language]}`
  const text = [title, ...lines].join('\n')
  return { type: 'digest', id: `digest.${day}`, day, language, environment, cell, items, text }
}

function itemsOf({ backlog, isHalted, isLiquidityWatched }: DigestSource, language: DigestLanguage): Item[] {
  const { depositsInReview: reviews, differences, deliveries, endingTokens } = backlog
  const { liquidity, ...others } = differences
  const open = Object.entries(others).filter(([, { count }]) => count > 0)
  const due = Object.values(deliveries)
  const state = liquidity.count > 0 ? 'low' : isLiquidityWatched ? 'enough' : 'unwatched'
  const tokens = endingTokens.map(({ person, role, expiresAt }) => `${person} (${role}) ${dayOf(expiresAt)}`)
  return [
    item('payments_halted', Number(isHalted), null, null),
    counted('reviews', reviews, `${toDecimal(usdt(reviews.amountMicroUsdt))} USDT`),
    item(
      'differences',
      open.reduce((sum, [, { count }]) => sum + count, 0),
      Math.max(0, ...open.map(([, { oldestSeconds }]) => oldestSeconds)),
      open.map(([check, { count }]) => `${check} ${count}`).join(', ') || null,
    ),
    counted('approvals', backlog.proposals),
    item('liquidity', liquidity.count, null, words[state][language]),
    counted('processing', backlog.payouts),
    counted('undecided', backlog.undecidedDeposits),
    counted('endpoints_failing', backlog.failingEndpoints),
    item('endpoints_paused', backlog.pausedEndpoints, null, null),
    item(
      'deliveries',
      due.reduce((sum, { count }) => sum + count, 0),
      Math.max(0, ...due.map(({ oldestSeconds }) => oldestSeconds)),
      null,
    ),
    counted('notices', backlog.notices),
    item('tokens', Math.min(endingTokens.length, endingTokensMax), null, tokens.join(', ') || null),
  ]
}

const item = (name: ItemName, count: number, oldest: number | null, detail: string | null): Item => ({
  name,
  count,
  oldest_seconds: oldest === null || count === 0 ? null : Math.floor(oldest),
  detail,
})

const counted = (
  name: ItemName,
  { count, oldestSeconds }: { readonly count: number; readonly oldestSeconds: number },
  detail: string | null = null,
): Item => item(name, count, oldestSeconds, detail)

const dayOf = (at: Date): string => at.toISOString().slice(0, 10)

/** `3 d`, `5 h`, `12 min`, `8 s`, in both languages. */
function ageOf(seconds: number): string {
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
  ] as const
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, 's']
  return `${Math.floor(seconds / size)} ${unit}`
}
