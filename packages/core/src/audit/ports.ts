import type { Credential } from '../access/operator.ts'

/** Every action that the audit log records. */
export const auditActions = [
  'api_key.issue',
  'api_key.revoke',
  'api_key.rotate',
  'api_key.set_addresses',
  'case.note',
  'case.release',
  'case.take',
  'console.end_session',
  'console.sign_in',
  'console.sign_out',
  'deposit.close',
  'deposit.credit',
  'deposit.return',
  'deposit.screen',
  'difference.close',
  'export.begin',
  'export.end',
  'network.confirm',
  'operator.fail_login',
  'operator.refuse',
  'operator_token.issue',
  'operator_token.revoke',
  'payout.cancel',
  'payout.query',
  'payout.settle',
  'payouts.start',
  'payouts.stop',
  'proposal.approve',
  'proposal.fail',
  'proposal.open',
  'proposal.reject',
  'proposal.withdraw',
  'quoting.pause',
  'quoting.resume',
  'reconciliation.request',
  'restore.confirm',
  'restore.declare',
  'screening.decide',
  'second_factor.confirm',
  'second_factor.remove',
  'secret.look_up',
  'sweep.plan',
  'sweep.sign',
  'tenant.create',
  'tenant.erase_contact',
  'tenant.resume',
  'tenant.suspend',
  'tenant.update',
  'top_up_address.rotate',
  'treasury.record',
  'wallet.adjust',
  'webhook.pause',
  'webhook.resend',
  'webhook.resume',
] as const
/** The name of an action: `<record>.<verb>`. */
export type AuditAction = (typeof auditActions)[number]

/** An entry of the audit log: actor, action and the changed members. Append-only; written with its change. */
export type AuditEntry = AuditOrigin & {
  readonly action: AuditAction
  /** The tenant concerned; null when there is none. */
  readonly tenantId: string | null
  /** The id of the changed record, or of the one that was refused; the source address of a failed login. */
  readonly subject: string
  readonly at: Date
  readonly before: AuditState
  readonly after: AuditState
}

/** Who acted, and from where. */
export type AuditOrigin = {
  /** The person; null where the operator's token was missing or unknown. */
  readonly actor: string | null
  /** The id of the operator token that was presented; null where none was. This and the next two distinguish a person from a thief. */
  readonly tokenId: string | null
  /** The source address of the request; null where it had none. */
  readonly address: string | null
  /** The fingerprint of the console's session; null where the token itself was presented. */
  readonly session: string | null
}

/** The changed members, as JSON; null when there are none. Never contains a key or its hash. */
export type AuditState = Readonly<Record<string, string | number | readonly string[] | null>> | null

/** Who made a change, and when. */
export type AuditAuthor = AuditOrigin & { readonly at: Date }

/** A place in the audit log; its hash covers every entry up to it. */
export type AuditPosition = {
  /** 1, 2, 3, … without a gap. */
  readonly id: bigint
  /** Lowercase hex of `auditHash`. */
  readonly hash: string
}

/** An entry as the audit log stores it. */
export type AuditRecord = AuditEntry & AuditPosition

/** Which entries of the audit log to read. */
export type AuditQuery = {
  readonly subject?: string
  readonly tenantId?: string
  readonly actor?: string
  readonly tokenId?: string
  readonly action?: string
  /** The entries at or after this instant. */
  readonly from?: Date
  /** The entries at or before this instant. */
  readonly to?: Date
  readonly limit: number
  /** The entries with a smaller id. */
  readonly before?: bigint
}

/** The first entry that does not follow from the entries before it. */
export type AuditFlaw = {
  /** The id of the entry, which may be missing. */
  readonly id: bigint
  /** The fault. */
  readonly detail: string
}

/** A verified slice of the audit log. */
export type AuditSlice = {
  readonly flaw: AuditFlaw | null
  /** The last entry of the slice, or the last one before the flaw. */
  readonly verified: AuditPosition
  /** The number of entries in the slice. */
  readonly count: number
}

/** A request that a role did not allow. */
export type Refusal = Pick<AuditEntry, 'tenantId' | 'subject' | 'at' | 'after'>

/** A list, report or statement that is taken as a file. */
export type Export = {
  /** The path below `/operator/v1/`. */
  readonly subject: string
  /** The query, without its format. */
  readonly filter: string
  readonly at: Date
  /** Rows that were sent, when it ended; null when it begins. */
  readonly sent: { readonly rows: number; readonly isComplete: boolean } | null
}

/** The audit entry of an export. */
export const auditExport = ({ subject, filter, at, sent }: Export, origin: AuditOrigin): AuditEntry => ({
  ...origin,
  action: sent === null ? 'export.begin' : 'export.end',
  tenantId: null,
  subject,
  at,
  before: null,
  after: { filter, ...(sent && { rows: sent.rows, complete: String(sent.isComplete) }) },
})

/** Failed logins from one source address. */
export type FailedLogins = { readonly address: string; readonly at: Date; readonly failures: number }

/** The audit log. Every method throws `Unavailable` when the database cannot be read or written. */
export type AuditLog = {
  /**
   * Writes the entry `operator.refuse` of the person whose token is presented; none when it is not active. The stores
   * write the entries of changes themselves.
   */
  recordRefusal(refusal: Refusal, by: Credential): Promise<void>
  /** Writes the entry `operator.fail_login`, which names nobody. */
  recordFailedLogins(logins: FailedLogins): Promise<void>
  /**
   * Writes the entry `secret.look_up` about the API key or the operator's token with this hash, in the name of the
   * person whose token is presented. Nothing was written when neither has it (`unknown`), or when the token is not
   * active (`unauthorized`).
   */
  recordLookUp(secretHash: string, at: Date, by: Credential): Promise<'committed' | 'unknown' | 'unauthorized'>
  /** Writes the entry `auditExport` in the name of the person whose token is presented; none (`unauthorized`) when it is not active. */
  recordExport(taken: Export, by: Credential): Promise<'committed' | 'unauthorized'>
  /** Newest first. */
  list(query: AuditQuery): Promise<readonly AuditRecord[]>
  /**
   * Recomputes the hashes of the next entries.
   *
   * @param after  `auditStart`, or the position before; it is a flaw when the log does not contain it
   */
  verify(after: AuditPosition, entries: number): Promise<AuditSlice>
}
