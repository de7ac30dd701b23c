import type { RaiseAlert } from '../alert.ts'
import { checkSettings, type SettingsShape } from '../check-settings.ts'
import type { Ids } from '../ids.ts'
import type { Clock } from '../time.ts'
import { Unavailable } from '../unavailable.ts'
import type { ScreeningHit, ScreeningStore } from './case.ts'
import {
  type Screening,
  type ScreeningAnswer,
  type ScreeningKind,
  type ScreeningList,
  type ScreeningSubject,
  subjectKey,
} from './screening.ts'

/** The outcome for one subject. `clear` too when two people have cleared its case. */
export type Screened =
  | ({ readonly outcome: 'clear' } & ScreeningList)
  | { readonly outcome: 'listed'; readonly caseId: string }
  | { readonly outcome: 'unanswered'; readonly problem: string }

/** Where a subject was met: `tenantId` and `reference` of `ScreeningHit`. */
export type ScreeningPlace = Pick<ScreeningHit, 'tenantId' | 'reference'>

/** Screens a subject, and keeps a case of what is not clear. At once when a local list has it clear. @throws Unavailable when the case cannot be stored */
export type Screen = (subject: ScreeningSubject, place: ScreeningPlace) => Screened | Promise<Screened>

/** The ports of `screenSubjects`. */
export type ScreenPorts = {
  readonly screening: Screening
  readonly cases: Pick<ScreeningStore, 'hit'>
  readonly ids: Pick<Ids, 'next'>
  readonly now: Clock
  readonly raiseAlert: RaiseAlert
}

/** For how long a clear answer of a provider serves the same subject, and two people's clearance without a look at the case. */
export type ScreenSettings = { readonly clearSeconds: number }

const shape: SettingsShape<ScreenSettings> = { clearSeconds: 'positive' }

/** A merchant's payouts ask a provider once in that time, and a decision acts within it. */
export const defaultScreenSettings: ScreenSettings = { clearSeconds: 300 }

/** Remembered subjects; the oldest is forgotten for the next one. */
const rememberedMax = 20_000
/** An outage writes its case at most once in this time, with the hits since then. */
const outageWriteMs = 10_000

type Remembered = ScreeningList & { readonly untilMs: number }

/**
 * Screens subjects: one that is not clear has a case, about which an alert is raised once.
 *
 * @example
 * ```ts
 * const answer = { outcome: 'listed', list: 'own', version: '1', reason: 'stolen' } as const
 * const screening = { name: 'own', isLocal: true, screen: () => answer }
 * const raiseAlert = (alert: { readonly code: string }) => console.log(alert.code) // SCREENING_CASE
 * const screen = screenSubjects(
 *   { ...ports, screening, cases: ports.screeningCases, raiseAlert },
 *   defaultScreenSettings,
 * )
 * const screened = await screen(senderSubject('TBlockedSender'), { tenantId: tenant.id, reference: null })
 * console.log(screened.outcome) // listed
 * ```
 */
export function screenSubjects(ports: ScreenPorts, settings: ScreenSettings): Screen {
  checkSettings('screenSubjects', settings, shape)
  const { screening } = ports
  const remembered = new Map<string, Remembered>()
  const open = caseWriter(ports)

  const remember = (key: string, { list, version }: ScreeningList): void => {
    if (remembered.size >= rememberedMax) remembered.delete(remembered.keys().next().value ?? '')
    remembered.set(key, { list, version, untilMs: ports.now().getTime() + settings.clearSeconds * 1_000 })
  }
  const clear = ({ list, version }: ScreeningList): Screened => ({ outcome: 'clear', list, version })
  const decide = async (answer: ScreeningAnswer, subject: ScreeningSubject, place: ScreeningPlace) => {
    const { kind } = subject
    if (answer.outcome === 'clear') {
      remember(keyOf(subject), answer)
      return clear(answer)
    }
    const { list, version, reason } = answer
    const about = { kind, list, version, reason, subject: subjectKey(subject), name: subject.texts.join(', ') }
    const found = await open({ ...about, ...place, outcome: 'listed', hits: 1 })
    if (found.status !== 'cleared') return { outcome: 'listed', caseId: found.id } as const
    remember(keyOf(subject), answer)
    return clear(answer)
  }
  const missed = outageWriter(open, ports)
  const unanswered = async (error: unknown, subject: ScreeningSubject, place: ScreeningPlace): Promise<Screened> => {
    if (!(error instanceof Unavailable)) throw error
    await missed(subject, place, error.message)
    return { outcome: 'unanswered', problem: error.message }
  }
  return (subject, place) => {
    const known = remembered.size === 0 ? undefined : remembered.get(keyOf(subject))
    if (known !== undefined && known.untilMs > ports.now().getTime()) return clear(known)
    try {
      const answer = screening.screen(subject)
      if (!(answer instanceof Promise))
        return answer.outcome === 'clear' ? clear(answer) : decide(answer, subject, place)
      return answer.then(
        (given) => decide(given, subject, place),
        (error: unknown) => unanswered(error, subject, place),
      )
    } catch (error) {
      return unanswered(error, subject, place)
    }
  }
}

const keyOf = ({ kind, id, texts }: ScreeningSubject): string => `${kind}\n${id}\n${texts.join('\n')}`

const caseWriter =
  ({ cases, ids, now, raiseAlert }: ScreenPorts) =>
  async (hit: ScreeningHit) => {
    const { found, isNew } = await cases.hit(ids.next('scr', now()), hit)
    const { id: subject, tenantId, kind, list, reason } = found
    const detail =
      hit.outcome === 'listed' ? `a ${kind} is on ${list}: ${reason}` : `no ${kind} is screened: ${list} says ${reason}`
    const code = hit.outcome === 'listed' ? 'SCREENING_CASE' : 'SCREENING_UNANSWERED'
    if (isNew) raiseAlert({ code, tenantId, subject, detail })
    return found
  }

function outageWriter(open: ReturnType<typeof caseWriter>, { screening, now }: ScreenPorts) {
  const outages = new Map<ScreeningKind, { hits: number; writtenMs: number }>()
  return async ({ kind, texts }: ScreeningSubject, place: ScreeningPlace, reason: string): Promise<void> => {
    const outage = outages.get(kind) ?? { hits: 0, writtenMs: Number.NEGATIVE_INFINITY }
    outage.hits += 1
    outages.set(kind, outage)
    const nowMs = now().getTime()
    if (nowMs - outage.writtenMs < outageWriteMs) return
    const { hits } = outage
    outages.set(kind, { hits: 0, writtenMs: nowMs })
    const about = { kind, subject: '', name: texts.join(', '), list: screening.name, version: '', reason }
    await open({ ...about, ...place, outcome: 'unanswered', hits })
  }
}
