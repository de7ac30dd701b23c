import { type Alert, idSource, type Timer, Unavailable } from '@quipu/core'
import type { AlertMessage, NoticeResult, OperatorAlertStore, RecordedAlert } from '@quipu/core/operator'
import { expect, onTestFinished, test } from 'vitest'
import { jsonLog } from '../log/log.ts'
import { alertRelay } from './alert-relay.ts'

const alert: Alert = { code: 'SWEEP_FAILED', tenantId: null, subject: 'swp_1', detail: 'out of energy' }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** A relay on a stepped clock, over an outbox that records or fails, and a gateway that answers. */
function open(isOn = true) {
  const waits: { readonly at: number; readonly end: () => void }[] = []
  const state = { nowMs: 0, isGone: false, hangs: false, answer: { type: 'accepted' } as NoticeResult }
  const timer: Timer = (ms) => {
    const { promise: done, resolve } = Promise.withResolvers<void>()
    waits.push({ at: state.nowMs + ms, end: resolve })
    return { done, cancel: () => undefined }
  }
  const recorded = new Map<string, RecordedAlert>()
  const sent: AlertMessage[] = []
  const lines: string[] = []
  const alerts: OperatorAlertStore = {
    record: async (all) => {
      if (state.hangs) return new Promise(() => undefined)
      if (state.isGone) throw new Unavailable('store', 'gone')
      for (const each of all) recorded.set(each.id, each)
    },
    see: async () => undefined,
    claim: async () => undefined,
    list: async () => [],
    accept: async () => 'committed',
    retry: async () => 'committed',
    sent: async () => ({ waiting: { count: 0, oldestSeconds: 0 }, acceptedAt: null, digestDay: null }),
  }
  const relay = alertRelay(
    {
      log: jsonLog('error', { write: (line) => void lines.push(line) }, timer),
      ids: idSource((size) => new Uint8Array(size).fill(sent.length + lines.length)),
      now: () => new Date(state.nowMs),
      monotonic: () => state.nowMs,
    },
    isOn,
  )
  const send = async (message: AlertMessage) => {
    sent.push(message)
    return state.answer
  }
  const random = (size: number) => new Uint8Array(size)
  const loops = relay.loops({ alerts, send, timer, random }, { repeatSeconds: 60 })
  const step = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds; n++) {
      state.nowMs += 1_000
      for (const wait of waits.splice(0)) {
        if (wait.at <= state.nowMs) wait.end()
        else waits.push(wait)
      }
      await turn()
    }
  }
  onTestFinished(async () => {
    state.hangs = false
    const stopped = Promise.all(loops.map((loop) => loop.stop()))
    await step(5)
    await stopped
  })
  return { ...relay, state, recorded, sent, lines, loops, step }
}

test('an alert is a line of the log, and is in the outbox a second later', async () => {
  const { raiseAlert, recorded, sent, lines, step } = open()
  raiseAlert(alert)
  expect(lines).toHaveLength(1)
  await step(2)
  expect([...recorded.values()]).toMatchObject([{ ...alert, isSent: false }])
  expect(sent).toEqual([])
})

test.each(['isGone', 'hangs'] as const)(
  'while the database %s, the process sends the alert itself within five seconds, once, and records it as sent',
  async (how) => {
    const { raiseAlert, recorded, sent, state, step } = open()
    state[how] = true
    raiseAlert(alert)
    await step(5)
    expect(sent).toMatchObject([{ ...alert, status: 'raised', sequence: 0 }])
    await step(60)
    expect(sent).toHaveLength(1)
    state[how] = false
    await step(5)
    expect([...recorded.values()]).toMatchObject([{ id: sent[0]?.id, isSent: true }])
  },
)

test('a gateway that fails meanwhile is tried again after 30 s, under the same id', async () => {
  const { raiseAlert, sent, state, step, recorded } = open()
  state.isGone = true
  state.answer = { type: 'failed', detail: 'no answer' }
  raiseAlert(alert)
  await step(25)
  expect(sent).toHaveLength(1)
  state.answer = { type: 'accepted' }
  await step(10)
  expect(sent.map(({ id }) => id)).toEqual([sent[0]?.id, sent[0]?.id])
  state.isGone = false
  await step(3)
  expect([...recorded.values()]).toMatchObject([{ isSent: true }])
})

test('without a gateway an alert is a line of the log alone', async () => {
  const { raiseAlert, lines, loops, recorded, step } = open(false)
  raiseAlert(alert)
  await step(5)
  expect([lines.length, loops.length, recorded.size]).toEqual([1, 0, 0])
})
