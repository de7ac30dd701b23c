import { describe, expect, test } from 'vitest'
import { type Alert, Unavailable } from '@quipu/core'
import {
  type NoticeResult,
  noticeRetryPolicy,
  type NoticeStore,
  sendNotice,
  type HandOverResult,
  type TenantNotice,
} from '@quipu/core/operator'
import { newKey } from '../../fixtures/new-key.ts'
import { someOperator } from '../../fixtures/builders.ts'
import { type OpenHarness, useWorld, type World } from '../../fixtures/harness.ts'
import { credentialOf } from '../../fixtures/proposal/operators.ts'

type Needed = 'tenants' | 'apiKeys' | 'notices'

const leaseSeconds = 30
const accepted: NoticeResult = { type: 'accepted' }

/** A worker, and the gateway that it sends to. */
function harnessOf(notices: NoticeStore, random: (size: number) => Uint8Array = (n) => new Uint8Array(n)) {
  const received: TenantNotice[] = []
  const alerts: Alert[] = []
  const gateway: { answer: () => Promise<NoticeResult> } = { answer: async () => accepted }
  const sender = {
    send: (notice: TenantNotice) => {
      received.push(notice)
      return gateway.answer()
    },
  }
  const raiseAlert = (alert: Alert): void => void alerts.push(alert)
  const send = sendNotice({ notices, sender, random, raiseAlert }, { leaseSeconds })
  const sendAll = async (): Promise<readonly HandOverResult<TenantNotice>['type'][]> => {
    const types: HandOverResult<TenantNotice>['type'][] = []
    for (;;) {
      const { type } = await send()
      if (type === 'idle') return types
      types.push(type)
    }
  }
  return { received, alerts, gateway, send, sendAll }
}

/** The contract of `sendNotice` with a store of notices. */
export function sendNoticeContract(name: string, open: OpenHarness<Needed>): void {
  describe(`sendNotice with ${name}`, () => {
    const w = useWorld(open, 'each')

    test('a worker that dies after the gateway accepted a notice has it sent again, with the same id', async () => {
      await issueAndRevoke(w)
      const dying = harnessOf({ ...w.notices, accept: () => Promise.reject(killed) })
      await expect(dying.send()).rejects.toBe(killed)
      const next = harnessOf(w.notices)
      expect(await next.sendAll()).toEqual([])
      await w.advance(leaseSeconds + 1)
      expect(await next.sendAll()).toEqual(['accepted', 'accepted'])
      expect(next.received[0]).toEqual(dying.received[0])
      expect(next.received.map(({ type }) => type)).toEqual(['api_key.issued', 'api_key.revoked'])
    })

    test('a worker that dies before it sends, or before it records a failure, loses no notice', async () => {
      await issueAndRevoke(w)
      await w.notices.claim(leaseSeconds)
      await w.advance(leaseSeconds + 1)
      const dying = harnessOf({ ...w.notices, retry: () => Promise.reject(killed) })
      dying.gateway.answer = async () => ({ type: 'failed', detail: 'no answer' })
      await expect(dying.send()).rejects.toBe(killed)
      await w.advance(leaseSeconds + 1)
      const next = harnessOf(w.notices)
      await next.sendAll()
      expect(next.received.map(({ type }) => type)).toEqual(['api_key.issued', 'api_key.revoked'])
    })

    test('while the gateway fails, one notice is repeated, ever later, and the others wait', async () => {
      await issueAndRevoke(w)
      const { gateway, received, send, sendAll, alerts } = harnessOf(w.notices)
      gateway.answer = async () => ({ type: 'failed', detail: 'no answer' })
      const pauses: number[] = []
      for (let attempt = 0; attempt < 6; attempt++) {
        const result = await send()
        if (result.type !== 'failed') throw new Error(result.type)
        expect(result.detail).toBe('no answer')
        pauses.push(result.inMs / 1_000)
        await w.advance(pauses.at(-1) ?? 0)
      }
      const { firstDelaySeconds: first, maxDelaySeconds: max } = noticeRetryPolicy
      expect(pauses).toEqual([first, first * 2, first * 4, first * 8, max, max])
      expect(new Set(received.map(({ id }) => id)).size).toBe(1)
      gateway.answer = async () => accepted
      expect(await sendAll()).toEqual(['accepted', 'accepted'])
      expect(alerts).toEqual([])
    })

    test('a refused notice raises an alert, and the next one follows', async () => {
      const tenantId = await issueAndRevoke(w)
      const { gateway, received, sendAll, alerts } = harnessOf(w.notices)
      gateway.answer = async () => (received.length === 1 ? { type: 'refused', detail: 'no such address' } : accepted)
      expect(await sendAll()).toEqual(['refused', 'accepted'])
      const [refused] = received
      expect(alerts).toEqual([
        { code: 'NOTICE_REFUSED', tenantId, subject: refused?.id, detail: 'api_key.issued: no such address' },
      ])
    })

    test('a worker whose lease ended during the attempt moves nothing', async () => {
      await issueAndRevoke(w)
      const [slow, fast] = [harnessOf(w.notices), harnessOf(w.notices)]
      slow.gateway.answer = async () => {
        await w.advance(leaseSeconds + 1)
        expect(await fast.sendAll()).toEqual(['accepted', 'accepted'])
        return accepted
      }
      expect((await slow.send()).type).toBe('stale')
      expect(slow.received[0]).toEqual(fast.received[0])
      expect(await fast.sendAll()).toEqual([])
    })
  })
}

const killed = new Unavailable('store', 'the worker was killed')

/** Makes two entries of the audit log that have a notice. */
async function issueAndRevoke(w: World<Needed>): Promise<string> {
  const { id } = await w.newTenant()
  const key = newKey(w, id)
  expect(await w.apiKeys.issue(key, credentialOf('ada'))).toBe('committed')
  await w.apiKeys.revoke(key, someOperator)
  return id
}
