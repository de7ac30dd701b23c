import type { Logger } from '@quipu/runtime'
import type { RequestEnd } from './context.ts'
import type { ReportError } from './error-handler.ts'

const pathLength = 200

/** Writes one line per request. */
export function requestLog(log: Logger): (end: RequestEnd) => void {
  // Without redaction: these members hold no secrets.
  const lines = log.child({}, { redact: [] })
  return (end) => {
    const { loggedId, traceId, tenantId, keyId, address, payoutId, operator } = end
    const { method, path, status, code, cause, durationMs, aborted } = end
    lines.info(
      {
        unit: 'request',
        request_id: loggedId,
        tenant_id: tenantId,
        key_id: keyId,
        address,
        payout_id: payoutId,
        operator: operator?.person,
        operator_token: operator?.tokenId,
        method,
        path: path.length > pathLength ? path.slice(0, pathLength) : path,
        status,
        code,
        cause,
        duration_ms: Math.round(durationMs * 100) / 100,
        ...(aborted && { aborted }),
        ...(traceId !== undefined && { trace_id: traceId }),
      },
      'request answered',
    )
  }
}

export const reportError =
  (log: Logger): ReportError =>
  (error, requestId) =>
    log.error({ request_id: requestId, err: error }, requestFailedText)

const requestFailedText = 'unexpected error in a request, answered INTERNAL_ERROR; report it as a bug'
