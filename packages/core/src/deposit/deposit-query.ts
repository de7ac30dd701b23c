import type { PageQuery } from '../page.ts'
import type { DepositStatus, ReviewCode } from './deposit.ts'

/** A page of deposits, filtered. */
export type DepositQuery = PageQuery & {
  readonly status?: DepositStatus
  /** Both inclusive, by `createdAt`. */
  readonly from?: Date
  readonly to?: Date
}

/** A page of the deposits of all tenants, filtered. */
export type AllDepositsQuery = DepositQuery & {
  readonly tenantId?: string
  /** Excludes closed reviews. */
  readonly open?: boolean
  /** Only deposits in review for this reason. */
  readonly reviewCode?: ReviewCode
  readonly txHash?: string
  /** The tenant's top-up address, as tenants see it. */
  readonly address?: string
}
