import type { Clock } from '@quipu/core'
import { type AuditLog, authorized, type Export } from '@quipu/core/operator'
import type { RequestHandler, Response } from 'express'
import type { Answer } from '../http/answer.ts'
import { operatorOf } from './session/operator-authentication.ts'

type RecordSent = (sent: Export['sent']) => Promise<unknown>

export type AuditedExportPorts = { readonly audit: Pick<AuditLog, 'recordExport'>; readonly now: Clock }

/** Lets `auditedExport` record in the audit log who takes which file. Only after `operatorAuthentication`. */
export const auditExports =
  ({ audit, now }: AuditedExportPorts): RequestHandler =>
  ({ path, url }, res, next) => {
    const query = new URLSearchParams(url.split('?', 2)[1])
    query.delete('format')
    // A mail address is personal data, and the audit log keeps it for ever.
    for (const [name, value] of query) if (value.includes('@')) query.set(name, '[redacted]')
    const about = { subject: path.replace('/operator/v1/', ''), filter: query.toString() }
    const record: RecordSent = async (sent) =>
      authorized(await audit.recordExport({ ...about, at: now(), sent }, operatorOf(res)))
    res.locals['recordExport'] = record
    next()
  }

/** The same answer, recorded before its first byte and after its last one, also where the reader leaves. */
export async function auditedExport(res: Response, answer: Answer): Promise<Answer> {
  const { chunks } = answer
  if (chunks === undefined) return answer
  const record = res.locals['recordExport'] as RecordSent
  await record(null)
  return { ...answer, chunks: recorded(chunks) }

  async function* recorded(read: AsyncIterable<string>): AsyncGenerator<string> {
    let isComplete = false
    try {
      yield* read
      isComplete = true
    } finally {
      await record({ rows: answer.rowCount?.() ?? 0, isComplete })
    }
  }
}
