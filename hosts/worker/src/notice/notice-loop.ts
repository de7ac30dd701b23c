import { Unavailable } from '@quipu/core'
import type { HandOverResult, SendNotice, TenantNotice } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'
import type { LoopTiming } from '../loop/system-timing.ts'
import type { RecordWork, Work } from '../loop/work-log.ts'

export type NoticeLoopPorts = LoopTiming & { readonly send: SendNotice; readonly record: RecordWork }

const idleMs = 2_000
const pauseAfterFailureMs = 5_000

/**
 * Sends notices to technical contacts until it is stopped. Any number of loops may run, in any number of processes:
 * one at a time has the claim.
 */
export function noticeLoop({ send, timer, monotonic, record }: NoticeLoopPorts): PollingLoop {
  const poll = async (): Promise<number> => {
    const startedAt = monotonic()
    try {
      const result = await send()
      recordResult(record, result, startedAt)
      return result.type === 'idle' || result.type === 'failed' ? idleMs : 0
    } catch (error) {
      record({
        unit: 'notice',
        result: 'error',
        startedAt,
        about: { err: error },
        level: error instanceof Unavailable ? 'warn' : 'error',
        message: `sending notices to technical contacts failed; retrying in ${pauseAfterFailureMs / 1_000} s`,
      })
      return pauseAfterFailureMs
    }
  }
  return pollingLoop(poll, timer)
}

function recordResult(record: RecordWork, result: HandOverResult<TenantNotice>, startedAt: number): void {
  if (result.type === 'idle') return
  const { id, type, tenantId } = result.message
  const about = {
    tenant_id: tenantId,
    notice_id: id,
    notice_type: type,
    ...(result.type === 'failed' && { detail: result.detail }),
  }
  record({ unit: 'notice', result: result.type, startedAt, about, ...lineOf(result) })
}

function lineOf(result: Exclude<HandOverResult<TenantNotice>, { type: 'idle' }>): Pick<Work, 'level' | 'message'> {
  switch (result.type) {
    case 'accepted':
      return { level: 'info', message: 'notice to a technical contact was accepted' }
    case 'refused':
      return { level: 'warn', message: 'notice to a technical contact was refused; sending the next one' }
    case 'stale':
      return { level: 'warn', message: 'lease of a notice ended; it is sent again with the same id' }
    case 'failed': {
      const seconds = Math.round(result.inMs / 1_000)
      return { level: 'warn', message: `notice to a technical contact was not accepted; retrying in ${seconds} s` }
    }
  }
}
