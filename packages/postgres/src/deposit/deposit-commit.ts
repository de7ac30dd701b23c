import type { Deposit, DepositCommit, DepositStep, DepositStore, NewEvent } from '@quipu/core'
import { insertAudit } from '../tenant/audit-log.ts'
import type { Database, Query, Statement } from '../connection/database.ts'

const endDeposit: Statement = {
  name: 'deposit.end',
  text: `
    select verdict, redated from quipu.end_deposit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16,
      $17, $18, $19)`,
}

type Ended = {
  readonly verdict: 'committed' | 'known' | 'stale' | 'above_unverified_limit'
  readonly redated: Date | null
}

/**
 * Ends a deposit, or closes its review.
 *
 * @param repeated whether the same write was sent before and its answer lost
 */
export async function commitDeposit(
  database: Database,
  write: DepositCommit,
  repeated: boolean,
): ReturnType<DepositStore['commit']> {
  const values = [...endOf(write, repeated), database.now()]
  const end = async (query: Query): Promise<Ended> => {
    const [row] = await query<Ended>(endDeposit, values)
    if (row === undefined) throw new Error(`deposit ${write.step.deposit.id} has no verdict`)
    return row
  }
  const { verdict, redated } =
    write.kind === 'settle'
      ? await end(repeated ? database.read : database.query)
      : await database.transaction(async (query) => {
          const ended = await end(query)
          const at = ended.redated ?? write.audit.at
          if (ended.verdict === 'committed') await insertAudit(query, { ...write.audit, at })
          return ended
        })
  if (verdict !== 'committed' && verdict !== 'known') return verdict
  return redated === null ? 'committed' : { redatedTo: redated }
}

/** The parameters of `quipu.end_deposit`, but for the clock. */
function endOf(write: DepositCommit, repeated: boolean): readonly unknown[] {
  const { deposit } = write.step
  const fence = write.kind === 'settle' ? write.claim.fence : null
  const limits = write.kind === 'settle' ? write.unverifiedLimits : undefined
  return [
    deposit.tenantId,
    deposit.id,
    fence,
    repeated,
    deposit.status,
    creditedMinor(write.step),
    ...outcomeOf(deposit),
    ...eventOf(write.kind === 'close' ? undefined : write.event),
    limits?.perTenant.minor,
    limits?.inAll.minor,
  ]
}

function creditedMinor({ effects }: DepositStep): bigint | null {
  const credit = effects.find((effect) => effect.type === 'transfer')
  return credit?.transfer.amount.minor ?? null
}

/** When it was credited or closed, why it is in review, who closed it and why. */
function outcomeOf(deposit: Deposit): readonly unknown[] {
  switch (deposit.status) {
    case 'credited':
      return [deposit.creditedAt, null, null, null]
    case 'in_review': {
      const { closed, reviewCode } = deposit
      return [closed?.at, reviewCode, closed?.actor, closed?.reason]
    }
    case 'pending':
      throw new Error(`deposit ${deposit.id} does not end by being pending`)
  }
}

const eventOf = (event: NewEvent | undefined): readonly unknown[] => [
  event?.id,
  event?.type,
  event?.occurredAt,
  event?.recordedAt,
  event?.body,
  event && [
    event.places.id,
    event.places.occurredAt,
    event.places.recordedAt,
    event.places.settledAt,
  ],
]
