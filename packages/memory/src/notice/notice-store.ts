import type { ApiKey } from '@quipu/core'
import {
  type AuditRecord,
  changesContact,
  contactIn,
  isNoticed,
  type NoticeClaim,
  noticeDaysBeforeExpiry,
  type NoticeSource,
  type NoticeStore,
} from '@quipu/core/operator'
import { type Database, secondsAfter, tenantDataOf } from '../table/database.ts'
import type { NoticeCursor } from '../table/notice-cursor.ts'

const [horizonSeconds, stepSeconds] = [noticeDaysBeforeExpiry * 86_400, 3_600]

export const memoryNoticeStore = (database: Database): NoticeStore => ({
  claim: async (leaseSeconds) => {
    const cursor = database.noticeCursor
    const now = database.now()
    if (now < cursor.dueAt) return undefined
    const source = entrySource(database) ?? expirySource(database, now)
    if (source === undefined) return undefined
    cursor.fencingToken++
    cursor.dueAt = secondsAfter(now, leaseSeconds)
    cursor.claimed = placeAfter(source)
    const { fencingToken, failedAttempts } = cursor
    return { claim: { fencingToken }, failedAttempts, source }
  },
  accept: async (claim) => {
    const cursor = claimedCursor(database, claim)
    if (cursor === undefined) return 'stale'
    const accepted = { dueAt: new Date(0), failedAttempts: 0, failingSince: undefined }
    Object.assign(cursor, cursor.claimed, accepted, { claimed: undefined })
    return 'committed'
  },
  retry: async (claim, inMs) => {
    const cursor = claimedCursor(database, claim)
    if (cursor === undefined) return 'stale'
    const now = database.now()
    cursor.dueAt = secondsAfter(now, inMs / 1000)
    cursor.failedAttempts++
    cursor.failingSince ??= now
    cursor.claimed = undefined
    return 'committed'
  },
})

/** The entries past the cursor that have a notice, oldest first. */
export const entriesToNotice = ({ audit, noticeCursor }: Database): readonly AuditRecord[] =>
  audit.filter((entry) => entry.id > noticeCursor.entryId && isNoticed(entry))

function claimedCursor({ noticeCursor }: Database, { fencingToken }: NoticeClaim): NoticeCursor | undefined {
  const isCurrent = noticeCursor.fencingToken === fencingToken && noticeCursor.claimed !== undefined
  return isCurrent ? noticeCursor : undefined
}

function placeAfter({ entry, key }: NoticeSource): NoticeCursor['claimed'] {
  if (entry) return { entryId: entry.id }
  return key?.expiresAt ? { expiry: { at: key.expiresAt, keyId: key.id } } : undefined
}

function entrySource(database: Database): NoticeSource | undefined {
  const [entry] = entriesToNotice(database)
  if (!entry) {
    database.noticeCursor.entryId = database.audit.at(-1)?.id ?? 0n
    return undefined
  }
  const { subject, tenantId } = entry
  const key = database.keys.get(subject) ?? null
  return { entry, key, contact: contactAt(database, tenantId ?? '', entry.id) }
}

/** The technical contact at the time of an entry: the one that the first later change replaced. */
function contactAt(database: Database, tenantId: string, entryId: bigint): NoticeSource['contact'] {
  const change = database.audit.find(
    (entry) => entry.id > entryId && entry.subject === tenantId && changesContact(entry),
  )
  return change ? contactIn(change.before) : tenantDataOf(database, tenantId).tenant.technicalContact
}

function expirySource(database: Database, now: Date): NoticeSource | undefined {
  const { noticeCursor } = database
  const horizon = secondsAfter(now, horizonSeconds)
  const [key] = Array.from(database.keys.values())
    .filter(({ activatedAt, revokedAt }) => activatedAt !== null && revokedAt === null)
    .filter((each) => isDue(each, noticeCursor, now, horizon))
    .toSorted((a, b) => millis(a) - millis(b) || (a.id < b.id ? -1 : 1))
  if (key) {
    const contact = tenantDataOf(database, key.tenantId).tenant.technicalContact
    return { entry: null, key, contact }
  }
  if (noticeCursor.expiry.at < secondsAfter(horizon, -stepSeconds)) noticeCursor.expiry = { at: horizon, keyId: '' }
  return undefined
}

const millis = ({ expiresAt }: ApiKey): number => expiresAt?.getTime() ?? Infinity

function isDue({ id, expiresAt }: ApiKey, { expiry }: NoticeCursor, now: Date, horizon: Date): boolean {
  if (expiresAt === null || expiresAt <= now || expiresAt > horizon) return false
  const isSame = expiresAt.getTime() === expiry.at.getTime()
  return isSame ? id > expiry.keyId : expiresAt > expiry.at
}
