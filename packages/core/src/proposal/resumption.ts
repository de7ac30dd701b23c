type Details = Readonly<Record<string, string>>

/** Ends a suspension that one person cannot end. Executed by the commit of the approval. */
export type ResumeTenant = {
  readonly type: 'resume_tenant'
  readonly tenantId: string
  /** The instant of the suspension that it ends. */
  readonly suspendedAt: Date
}

/** Ends a stop of payouts. Executed by the commit of the approval. */
export type StartPayouts = {
  readonly type: 'start_payouts'
  /** The instant of the stop that it ends. */
  readonly stoppedAt: Date
}

/** How a store keeps a `ResumeTenant`. */
export const resumeRule = {
  subjectOf: ({ tenantId }: ResumeTenant): string => tenantId,
  detailsOf: ({ suspendedAt }: ResumeTenant): Details => ({ suspended_at: suspendedAt.toISOString() }),
  read: (tenantId: string, { suspended_at: at = '' }: Details): ResumeTenant => ({
    type: 'resume_tenant',
    tenantId,
    suspendedAt: new Date(at),
  }),
  limitedAmountOf: (): null => null,
}

/** How a store keeps a `StartPayouts`. */
export const startRule = {
  subjectOf: (): string => 'payouts',
  detailsOf: ({ stoppedAt }: StartPayouts): Details => ({ stopped_at: stoppedAt.toISOString() }),
  read: (_: string, { stopped_at: at = '' }: Details): StartPayouts => ({
    type: 'start_payouts',
    stoppedAt: new Date(at),
  }),
  limitedAmountOf: (): null => null,
}
