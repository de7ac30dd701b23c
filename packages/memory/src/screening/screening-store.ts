import type { ScreeningKind } from '@quipu/core'
import {
  type ActionOf,
  type ApprovedProposal,
  type ScreeningCase,
  type ScreeningHit,
  type ScreeningStore,
  tenantChanged,
} from '@quipu/core/operator'
import { writeAudit } from '../audit/audit-log.ts'
import { proposingOrigin } from '../proposal/approved-proposal.ts'
import { type Database, positionOf, tenantDataOf } from '../table/database.ts'

export const memoryScreeningStore = (database: Database): ScreeningStore => ({
  hit: async (id, hit) => {
    const { hits, name, version, reason, reference } = hit
    const now = database.now()
    const found = casesOf(database).find((one) => isSame(one, hit))
    if (found?.status === 'cleared') return { found, isNew: false }
    const isNew = found === undefined || found.status === 'answered'
    const again = { name, version, reason, reference, lastHitAt: now }
    const opened = { openedAt: now, status: 'open', decidedAt: null } as const
    const undecided = { decidedBy: null, proposalId: null }
    const stored: ScreeningCase = found
      ? { ...found, ...again, hits: found.hits + hits, ...(isNew && opened) }
      : { ...hit, ...again, ...opened, ...undecided, id, createdAt: now }
    database.screeningCases.set(stored.id, stored)
    if (!found) database.screeningOrder.add(positionOf(stored))
    if (hit.kind === 'tenant' && hit.outcome === 'listed') suspendListed(database, hit.subject, stored.id)
    return { found: stored, isNew }
  },
  find: async (id) => database.screeningCases.get(id),
  list: async ({ status, kind, tenantId, ...query }) =>
    database.screeningOrder.page(query, (id) => {
      const found = database.screeningCases.get(id)
      const members = [
        [status, found?.status],
        [kind, found?.kind],
        [tenantId, found?.tenantId],
      ]
      return members.every(([wanted, is]) => wanted === undefined || wanted === is) ? found : undefined
    }),
  outages: async () => casesOf(database).filter(isOutage),
  answered: async (kind: ScreeningKind) => {
    for (const found of casesOf(database).filter((one) => isOutage(one) && one.kind === kind))
      database.screeningCases.set(found.id, { ...found, status: 'answered', decidedAt: database.now() })
  },
})

const casesOf = ({ screeningCases }: Database): readonly ScreeningCase[] => Array.from(screeningCases.values())

const isOutage = ({ outcome, status }: ScreeningCase): boolean => outcome === 'unanswered' && status === 'open'

const isSame = (found: ScreeningCase, hit: ScreeningHit): boolean =>
  found.kind === hit.kind &&
  found.outcome === hit.outcome &&
  found.subject === hit.subject &&
  found.list === hit.list &&
  (hit.outcome === 'unanswered' || found.reason === hit.reason)

/** Whether people have to clear a case before the tenant is resumed. */
export const isListed = (database: Database, tenantId: string): boolean =>
  casesOf(database).some(
    ({ kind, outcome, subject, status }) =>
      kind === 'tenant' && outcome === 'listed' && subject === tenantId && status !== 'cleared',
  )

function suspendListed(database: Database, tenantId: string, caseId: string): void {
  const tenantData = tenantDataOf(database, tenantId)
  const before = tenantData.tenant
  if (before.status === 'suspended') return
  tenantData.tenant = { ...before, status: 'suspended', revision: before.revision + 1 }
  const nobody = { actor: null, tokenId: null, address: null, session: null }
  const entry = tenantChanged('tenant.suspend', before, tenantData.tenant, { ...nobody, at: database.now() })
  writeAudit(database, { ...entry, after: { ...entry.after, screening_case: caseId } })
}

/** Decides a case as an approved proposal says. */
export function decideCase(
  database: Database,
  { caseId, decision }: ActionOf<'decide_screening'>,
  { id: proposalId, approval }: ApprovedProposal,
): void {
  const found = database.screeningCases.get(caseId)
  if (found === undefined) throw new Error(`no case ${caseId}`)
  const { tenantId, kind, name, list, reason } = found
  const decided = { status: decision, decidedAt: approval.at, decidedBy: approval.by, proposalId }
  database.screeningCases.set(caseId, { ...found, ...decided })
  writeAudit(database, {
    ...proposingOrigin(database, proposalId),
    action: 'screening.decide',
    tenantId,
    subject: caseId,
    at: approval.at,
    before: { status: found.status },
    after: { status: decision, kind, name, list, reason, proposal_id: proposalId },
  })
}
