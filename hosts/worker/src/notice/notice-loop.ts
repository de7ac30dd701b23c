import { type Timer, Unavailable } from '@quipu/core'
import type { SendNotice, SendNoticeResult } from '@quipu/core/operator'
import { type PollingLoop, pollingLoop } from '@quipu/runtime'

export type NoticeLoopPorts = {
  readonly send: SendNotice
  readonly timer: Timer
  readonly log: {
    readonly [Level in 'info' | 'warn' | 'error']: (fields: object, message: string) => void
  }
}

const idleMs = 2_000
const pauseAfterFailureMs = 5_000

/**
 * Sends notices to technical contacts until it is stopped. Any number of loops may run, in any number of processes:
 * one at a time has the claim.
 */
export function noticeLoop({ send, timer, log }: NoticeLoopPorts): PollingLoop {
  const poll = async (): Promise<number> => {
    try {
      const result = await send()
      logResult(log, result)
      return result.type === 'idle' || result.type === 'failed' ? idleMs : 0
    } catch (error) {
      log[error instanceof Unavailable ? 'warn' : 'error'](
        { err: error },
        'sending notices to technical contacts failed; retrying in 5 s',
      )
      return pauseAfterFailureMs
    }
  }
  return pollingLoop(poll, timer)
}

function logResult(log: NoticeLoopPorts['log'], result: SendNoticeResult): void {
  if (result.type === 'idle') return
  const { id, type, tenantId } = result.notice
  const about = { notice: id, type, tenant: tenantId }
  switch (result.type) {
    case 'accepted':
      log.info(about, 'notice to a technical contact was accepted')
      return
    case 'refused':
      log.warn(about, 'notice to a technical contact was refused; sending the next one')
      return
    case 'stale':
      log.warn(about, 'lease of a notice ended; it is sent again with the same id')
      return
    case 'failed': {
      const seconds = Math.round(result.inMs / 1_000)
      log.warn(
        { ...about, detail: result.detail },
        `notice to a technical contact was not accepted; retrying in ${seconds} s`,
      )
    }
  }
}
