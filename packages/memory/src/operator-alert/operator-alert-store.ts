import type { Alert } from '@quipu/core'
import {
  alertLookSeconds,
  alertsListed,
  alertOnceSeconds,
  alertsApart,
  type AlertsSent,
  type AlertStatus,
  faultOverSeconds,
  isSeenFault,
  type OperatorAlertStore,
  type RecordedAlert,
} from '@quipu/core/operator'
import { backlogCountMax } from '@quipu/core/adapter'
import { type Database, secondsAfter } from '../table/database.ts'
import type { AlertRow } from '../table/operator-alert-table.ts'

export const memoryOperatorAlertStore = (database: Database): OperatorAlertStore => ({
  record: async (alerts) => {
    for (const alert of alerts) record(database, alert)
  },
  see: async (faults) => {
    for (const fault of faults) record(database, { ...fault, isSent: false })
  },
  claim: async (leaseSeconds, repeatSeconds) => {
    look(database)
    const now = database.now()
    const due = rows(database)
      .filter(({ dueAt }) => dueAt !== null && dueAt <= now)
      .toSorted((a, b) => millis(a.dueAt) - millis(b.dueAt) || (a.alert.id < b.alert.id ? -1 : 1))
    const [first] = due
    if (!first) return undefined
    const status = statusOf(first)
    const same = due.filter((row) => row.alert.code === first.alert.code && statusOf(row) === status)
    const claimed = same.length > alertsApart ? same.slice(0, 1_000) : [first]
    const fencingToken = ++database.operatorAlerts.claims
    const leaseEnd = secondsAfter(now, leaseSeconds)
    for (const row of claimed) Object.assign(row, { dueAt: leaseEnd, fencingToken, claimedAs: status, repeatSeconds })
    const { alert, endedAt, failedAttempts, sent: sequence } = first
    const message = { ...alert, endedAt, sequence, status, further: claimed.length - 1 }
    return { claim: { fencingToken }, failedAttempts, message }
  },
  accept: async ({ fencingToken }) => {
    const now = database.now()
    const claimed = claimedRows(database, fencingToken)
    for (const row of claimed) {
      const isLast = !row.lasts || row.claimedAs === 'resolved'
      const next = row.endedAt === null ? secondsAfter(now, row.repeatSeconds) : now
      Object.assign(row, { sent: row.sent + 1, acceptedAt: now, failedAttempts: 0, dueAt: isLast ? null : next })
      row.claimedAs = null
    }
    return claimed.length > 0 ? 'committed' : 'stale'
  },
  retry: async ({ fencingToken }, inMs) => {
    const claimed = claimedRows(database, fencingToken)
    for (const row of claimed) {
      row.dueAt = secondsAfter(database.now(), inMs / 1000)
      row.failedAttempts++
      row.claimedAs = null
    }
    return claimed.length > 0 ? 'committed' : 'stale'
  },
  list: async () =>
    rows(database)
      .toSorted((a, b) => (a.alert.id < b.alert.id ? 1 : -1))
      .slice(0, alertsListed)
      .map(({ alert, endedAt, sent, acceptedAt, failedAttempts }) => {
        const status = endedAt === null ? 'raised' : 'resolved'
        return { ...alert, status, endedAt, sent, acceptedAt, failedAttempts }
      }),
  sent: async () => alertsSent(database),
})

/** Whether messages reach the gateway. */
export function alertsSent(database: Database): AlertsSent {
  const now = database.now()
  const unsent = rows(database).filter(({ sent }) => sent === 0)
  const digest = database.dailyTasks.get('digest')
  const accepted = [...rows(database), ...(digest ? [digest] : [])].flatMap(({ acceptedAt }) => acceptedAt ?? [])
  return {
    waiting: {
      count: Math.min(unsent.length, backlogCountMax),
      oldestSeconds: Math.max(0, ...unsent.map(({ alert }) => (now.getTime() - alert.raisedAt.getTime()) / 1000)),
    },
    acceptedAt: accepted.toSorted((a, b) => b.getTime() - a.getTime())[0] ?? null,
    digestDay: digest?.day ?? null,
  }
}

const rows = ({ operatorAlerts }: Database): readonly AlertRow[] => Array.from(operatorAlerts.byId.values())
const millis = (at: Date | null): number => at?.getTime() ?? Infinity
const claimedRows = (database: Database, token: number): readonly AlertRow[] =>
  rows(database).filter(({ fencingToken, claimedAs }) => fencingToken === token && claimedAs !== null)

function statusOf({ sent, lasts, endedAt }: AlertRow): AlertStatus {
  if (sent === 0) return 'raised'
  return lasts && endedAt !== null ? 'resolved' : 'repeated'
}

function record(database: Database, { isSent, ...alert }: RecordedAlert): void {
  const now = database.now()
  const isFault = isSeenFault(alert.code)
  const same = rows(database).filter(
    ({ alert: { id, code, subject } }) => id !== alert.id && code === alert.code && subject === alert.subject,
  )
  const open = same.find(({ lasts, endedAt }) => lasts && endedAt === null)
  if (open) {
    const isChanged = !isFault && open.alert.detail !== alert.detail && open.sent > 0 && open.claimedAs === null
    Object.assign(open, { seenAt: now, alert: { ...open.alert, detail: alert.detail } })
    if (isChanged) open.dueAt = now
    return
  }
  const lasts = isOver(database, { alert, isFault, seenAt: now }, now) !== null
  const since = secondsAfter(now, -alertOnceSeconds)
  if (!lasts && same.some((row) => !row.lasts && row.seenAt > since)) return
  const sentUntil = lasts ? secondsAfter(now, alertOnceSeconds) : null
  const known = database.operatorAlerts.byId.get(alert.id)
  if (known) {
    known.seenAt = now
    if (isSent && known.sent === 0) Object.assign(known, { sent: 1, acceptedAt: now, dueAt: sentUntil })
    return
  }
  database.operatorAlerts.byId.set(alert.id, {
    alert,
    isFault,
    lasts,
    seenAt: now,
    lookedAt: now,
    endedAt: lasts ? null : now,
    sent: Number(isSent),
    acceptedAt: isSent ? now : null,
    dueAt: isSent ? sentUntil : now,
    failedAttempts: 0,
    repeatSeconds: 0,
    fencingToken: 0,
    claimedAs: null,
  })
}

/** Ends the alerts of what is over. */
function look(database: Database): void {
  const now = database.now()
  const since = secondsAfter(now, -alertLookSeconds)
  for (const row of rows(database)) {
    if (!row.lasts || row.endedAt !== null || row.lookedAt > since) continue
    row.lookedAt = now
    if (isOver(database, row, now) !== true) continue
    row.endedAt = now
    if (row.sent > 0 && row.claimedAs === null) row.dueAt = now
  }
}

type Ended = (database: Database, about: Pick<RecordedAlert, 'subject' | 'tenantId' | 'raisedAt'>, now: Date) => boolean

/** Ends of an ordered payout that the network decides; null: paid. */
const ofNetwork = new Set([null, 'PAYMENT_FAILED', 'PAYMENT_CANCELLED', 'INSUFFICIENT_FUNDS'])

const payoutEnded: Ended = (database, { subject, tenantId }) =>
  tenantId !== null && database.tenants.has(tenantId) && !database.leases.has(subject)

const differenceClosed: Ended = ({ differences }, { subject }) => {
  const found = Array.from(differences.byId.values()).filter((each) => each.subject === subject)
  return found.length > 0 && found.every(({ status }) => status !== 'open')
}

/** Whether the state behind an alert of a code is over. */
const ends: Readonly<Partial<Record<Alert['code'], Ended>>> = {
  DATABASE_CANNOT_COMMIT: () => true,
  STANDBY_NOT_REQUIRED: () => true,
  CLOCK_APART: ({ processes }, _, now) =>
    !Array.from(processes.values()).some(
      ({ process: { aheadMs }, endedAt, seenAt }) =>
        Math.abs(aheadMs) >= 2_000 && endedAt === null && seenAt > secondsAfter(now, -30),
    ),
  PAID_WRONG_AMOUNT: payoutEnded,
  UNEXPECTED_ANSWER: payoutEnded,
  PROCESSING_TOO_LONG: payoutEnded,
  NEEDS_OPERATOR: payoutEnded,
  LEDGER_DIFFERENCE: differenceClosed,
  NETWORK_DIFFERENCE: differenceClosed,
  CHAIN_DIFFERENCE: differenceClosed,
  LIQUIDITY_LOW: differenceClosed,
  NETWORK_CONTRADICTS: differenceClosed,
  WEBHOOK_FAILING: ({ webhooks }, { subject }) => {
    const row = webhooks.get(subject)
    return !(row?.isFailingLong && row.endpoint.status === 'active')
  },
  WEBHOOK_PAUSED: ({ webhooks }, { subject }) => webhooks.get(subject)?.endpoint.status !== 'paused',
  SWEEP_UNSENT: ({ sweeps }, { subject }) => {
    const transfer = sweeps.transfers.get(subject)?.transfer
    return transfer === undefined || transfer.problem === null || transfer.endedAt !== null
  },
  PAYOUTS_FAIL: ({ tenants }, { raisedAt }) => {
    const codes = Array.from(tenants.values(), ({ payouts }) => [...payouts.values()])
      .flat()
      .map(({ payout }) => payout)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .filter((payout) => payout.status !== 'processing' && payout.endedAt > raisedAt)
      .map((payout) => ('error' in payout ? payout.error.code : null))
      .filter((code) => ofNetwork.has(code))
      .slice(-10)
    return codes.length === 10 && codes.filter((code) => code === null).length >= 8
  },
  SOURCES_DISAGREE: ({ deposits }, { subject }) => {
    const deposit = deposits.get(subject)?.deposit
    return deposit?.status === 'credited' || (deposit?.status === 'in_review' && deposit.closed !== null)
  },
}

/** Whether what was alerted is over; null for what happened once. */
function isOver(
  database: Database,
  { alert, isFault, seenAt }: Pick<AlertRow, 'alert' | 'isFault' | 'seenAt'>,
  now: Date,
): boolean | null {
  if (isFault) return seenAt < secondsAfter(now, -faultOverSeconds)
  return ends[alert.code]?.(database, alert, now) ?? null
}
