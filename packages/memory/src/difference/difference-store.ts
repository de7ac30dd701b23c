import {
  auditDifference,
  type Difference,
  type DifferenceClosure,
  differenceStatus,
  type DifferenceStore,
  foundKinds,
  type FoundDifference,
  isSameDifference,
} from '@quipu/core/operator'
import type { Database } from '../table/database.ts'
import { actingToken, writers } from '../access/acting-token.ts'
import { writeAudit } from '../audit/audit-log.ts'

export const memoryDifferenceStore = (database: Database): DifferenceStore => ({
  record: async (found, at) => {
    for (const each of found)
      if (!isFoundByProcess(database, each)) {
        const { check, kind, subject, tenantId } = each
        const owner = tenantId === null ? 'no tenant' : `tenant ${tenantId}`
        throw new Error(`no process finds a difference of ${check}, ${kind} about ${subject} of ${owner}`)
      }
    for (const each of found) recordOne(database, each, at)
  },
  resolveUnseen: async ({ check, scope }, at) => {
    const unseen = Array.from(database.differences.byId.values()).filter(
      (stored) => stored.check === check && stored.scope === scope && stored.goneAt === null && stored.lastSeenAt < at,
    )
    for (const stored of unseen) put(database, { ...stored, goneAt: at })
    return unseen.length
  },
  find: async (id) => database.differences.byId.get(id),
  list: async ({ status, check, tenantId, subject, ...query }) => {
    const { items, next } = database.differences.order.page(query, (id) => {
      const stored = database.differences.byId.get(id)
      const isWanted =
        stored !== undefined &&
        (status === undefined || stored.status === status) &&
        (check === undefined || stored.check === check) &&
        (tenantId === undefined || stored.tenantId === tenantId) &&
        (subject === undefined || stored.subject === subject)
      return isWanted ? { createdAt: stored.foundAt, id, stored } : undefined
    })
    return { items: items.map(({ stored }) => stored), next }
  },
  listChanged: async (after, since, limit) =>
    Array.from(database.differences.byId.values())
      .filter(
        ({ id, status, change }) =>
          change > after && (status === 'open' || (database.differences.changedAt.get(id) ?? since) >= since),
      )
      .toSorted((a, b) => (a.change < b.change ? -1 : 1))
      .slice(0, limit),
  close: async (id, closure, by) => {
    const acting = actingToken(database, by, closure.at, writers)
    if (!acting) return 'unauthorized'
    const stored = database.differences.byId.get(id)
    if (stored?.status !== 'open') return 'stale'
    checkProposal(database, stored, closure)
    put(database, { ...stored, closure })
    writeAudit(database, auditDifference(stored, closure, acting.author))
    return 'committed'
  },
})

/** As the function of this name in the database. */
function isFoundByProcess(database: Database, { check, kind, scope, subject, tenantId }: FoundDifference): boolean {
  if (!foundKinds[check].includes(kind)) return false
  if (check === 'report') return tenantId === null && /^\d{4}-\d\d-\d\d$/.test(subject)
  if (check === 'liquidity') return tenantId === null && subject === 'network'
  if (tenantId === null) return check === 'network' && (kind === 'unknown_here' || subject === `${scope} ${kind}`)
  const ofTenant = database.tenants.get(tenantId)
  switch (check) {
    case 'network':
      return kind !== 'unknown_here' && ofTenant?.payouts.has(subject) === true
    case 'chain':
      return Array.from(ofTenant?.addresses.values() ?? []).some(({ address }) => address === subject)
    case 'ledger':
      return database.deposits.get(subject)?.deposit.tenantId === tenantId
    case 'audit':
      return false
  }
}

function recordOne(database: Database, found: FoundDifference, at: Date): void {
  const stored = presentOf(database, found)
  if (stored === undefined) return open(database, found, at)
  const isSame = isSameDifference(stored, found)
  if (stored.status === 'closed' && !isSame) {
    put(database, { ...stored, goneAt: at })
    return open(database, found, at)
  }
  const lastSeenAt = at > stored.lastSeenAt ? at : stored.lastSeenAt
  const { detail, expected, found: amount } = found
  put(database, {
    ...stored,
    ...(stored.status === 'open' && { detail, expected, found: amount }),
    change: isSame ? stored.change : nextChange(database, stored.id),
    lastSeenAt,
  })
}

function open(database: Database, found: FoundDifference, at: Date): void {
  if (database.differences.byId.has(found.id)) throw new Error(`difference ${found.id} exists`)
  database.differences.order.add({ createdAt: at, id: found.id })
  const change = nextChange(database, found.id)
  const times = { foundAt: at, lastSeenAt: at, goneAt: null }
  put(database, { ...found, ...times, closure: null, status: 'open', change })
}

function nextChange({ differences, now }: Database, id: string): bigint {
  differences.changedAt.set(id, now())
  return (differences.lastChange += 1n)
}

const put = ({ differences }: Database, difference: Difference): void =>
  void differences.byId.set(difference.id, { ...difference, status: differenceStatus(difference) })

const presentOf = ({ differences }: Database, { check, kind, subject }: FoundDifference): Difference | undefined =>
  Array.from(differences.byId.values()).find(
    (stored) => stored.goneAt === null && stored.check === check && stored.kind === kind && stored.subject === subject,
  )

function checkProposal({ proposals }: Database, { tenantId }: Difference, { proposalId }: DifferenceClosure): void {
  if (proposalId === null) return
  const proposal = proposals.get(proposalId)
  if (proposal?.status !== 'executed' || proposal.tenantId !== tenantId)
    throw new Error(`proposal ${proposalId} is not an executed one of the difference’s tenant`)
}
