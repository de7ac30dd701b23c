import type { OperatorRequest, UsedRequest } from '@quipu/core/operator'

// Decided by migrations/0036-operator-requests.sql.

/** The result of a statement from `onceFor`. */
export type OnceRow = { readonly fingerprint: string | null; readonly subject: string | null }

/**
 * A statement that calls a creating function once for a request: both are one transaction.
 *
 * @param call  the call of the function
 * @param request  the parameters of `remember_request`: credential, key, fingerprint, id of what is created, instant
 */
export const onceFor = (call: string, request: string): string => `
  select r.fingerprint, r.subject, case when r.fingerprint is null then (${call}) end as result
  from quipu.remember_request(${request}) r`

/** The parameters of a request for `onceFor`. */
export const requestValues = (request: OperatorRequest | undefined): readonly (string | null)[] => [
  request?.key ?? null,
  request?.fingerprint ?? null,
]

/** The first request with the key; undefined when the function was called. */
export const usedFromRow = (row: OnceRow | undefined): UsedRequest | undefined =>
  typeof row?.fingerprint === 'string' && row.subject !== null
    ? { fingerprint: row.fingerprint, subject: row.subject }
    : undefined
