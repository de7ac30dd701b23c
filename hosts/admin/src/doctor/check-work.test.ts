import type { Backlog } from '@quipu/core/adapter'
import { expect, test } from 'vitest'
import { admin, apiServer } from '../test/admin.fixture.ts'
import { backlogFindings, networkFindings, processFindings } from './check-work.ts'
import { defaultFaultLimits, type ReconciliationRun } from '@quipu/core/operator'

const [late, gone] = [defaultFaultLimits.reconciledSeconds + 1, defaultFaultLimits.processMissingSeconds + 1]
const none = { count: 0, oldestSeconds: 0 }
const ledger = { uncheckedSeconds: 10, unrecheckedSeconds: 10, driftMicroUsdt: 0n }
const idle: Backlog = {
  payouts: none,
  deliveries: { fast: none, slow: none, catching_up: none },
  retryingDeliveries: 0,
  pausedEndpoints: 0,
  failingEndpoints: none,
  notices: none,
  isQuotingPaused: false,
  screeningCases: { count: 0, oldestSeconds: 0 },
  depositsInReview: { ...none, amountMicroUsdt: 0n },
  proposals: none,
  alerts: { waiting: none, acceptedAt: null, digestDay: null },
  undecidedDeposits: { ...none, oldest: null },
  differences: { ledger: none, audit: none, network: none, chain: none, liquidity: none, report: none },
  ledger,
  reconciliations: [],
  endingTokens: [],
  heldLocks: [],
  scans: [{ chain: 'tron', view: 'solid', behindSeconds: 60 }],
}
const run: ReconciliationRun = {
  id: 'rcn_1',
  check: 'network',
  period: null,
  scheduledFor: null,
  requestedBy: 'ana',
  createdAt: new Date(0),
  position: 0,
  slices: 1,
  compared: 1,
  differences: 0,
  completedAt: new Date(0),
  failure: null,
  mac: null,
}
const old = { count: 2, oldestSeconds: 1_000 }

const faulty = (backlog: Partial<Backlog>, settings = {}) =>
  backlogFindings({ ...idle, ...backlog }, settings)
    .filter(({ status }) => status !== 'ok')
    .map(({ check, status, mend }) => ({ check, status, hasMend: (mend ?? '') !== '' }))

test('idle work is ok, and so is what a setting allows', () => {
  expect(faulty({})).toEqual([])
  const slow = { ledger: { ...ledger, uncheckedSeconds: 600 } }
  expect(faulty(slow, { LEDGER_UNCHECKED_SECONDS: 600 })).toEqual([])
})

test.each<[check: string, status: string, backlog: Partial<Backlog>]>([
  ['workers', 'fail', { ledger: { ...ledger, uncheckedSeconds: 301 } }],
  ['scans.tron.solid', 'fail', { scans: [{ chain: 'tron', view: 'solid', behindSeconds: 301 }] }],
  ['differences.ledger', 'fail', { differences: { ...idle.differences, ledger: old } }],
  [
    'reconciliations.chain',
    'fail',
    {
      reconciliations: [
        { check: 'network', run, completedSeconds: 90_000, openSeconds: 0, slices: 1, compared: 1, hasSkipped: false },
        { check: 'chain', run, completedSeconds: late, openSeconds: 0, slices: 1, compared: 1, hasSkipped: false },
      ],
    },
  ],
  ['database.locks', 'fail', { heldLocks: [{ session: 'session 7', lock: 'the lock of the audit log' }] }],
  ['payouts.processing', 'warn', { payouts: old }],
  ['webhooks.deliveries', 'warn', { deliveries: { ...idle.deliveries, fast: old } }],
  ['webhooks.endpoints', 'warn', { pausedEndpoints: 1 }],
  ['webhooks.failing', 'warn', { failingEndpoints: old }],
  ['notices', 'warn', { notices: old }],
  ['screening.cases', 'warn', { screeningCases: old }],
  ['deposits.in_review', 'warn', { depositsInReview: { count: 1, oldestSeconds: 60, amountMicroUsdt: 1n } }],
  ['alerts', 'fail', { alerts: { waiting: old, acceptedAt: null, digestDay: null } }],
  ['deposits.undecided', 'fail', { undecidedDeposits: { ...old, oldest: { depositId: 'dep_1', problem: 'late' } } }],
  ['rates.quoting', 'warn', { isQuotingPaused: true }],
])('%s is a %s, with what to mend', (check, status, backlog) => {
  expect(faulty(backlog)).toEqual([{ check, status, hasMend: true }])
})

test('a missing process, and a clock that is apart, fail', () => {
  const ages = { ageSeconds: 100, steadySeconds: 100, silentSeconds: 1, endedSeconds: null }
  const api = { id: 'prc_1', program: 'api', host: 'api-1', aheadMs: 0, ...ages } as const
  const worker = { ...api, id: 'prc_2', program: 'worker' } as const
  const failing = (...processes: Parameters<typeof processFindings>[0]) =>
    processFindings(processes, {}).flatMap(({ check, status }) => (status === 'fail' ? [check] : []))
  expect(failing()).toEqual([])
  expect(failing(api, worker)).toEqual([])
  expect(failing(api, { ...worker, silentSeconds: gone })).toEqual(['processes.prc_2'])
  expect(failing({ ...api, aheadMs: 61_000 }, worker)).toEqual(['processes.prc_1'])
})

test('a process at another QR network, and a network that has lost its ledger, fail', () => {
  const halts = [null, 'po_1'].map((payoutId) => ({ identity: 'other', payoutId, since: new Date(0) }))
  const failing = networkFindings({ network: null, halts }).map(({ check, status }) => [check, status])
  expect(failing).toEqual(halts.map(() => ['network.identity', 'fail']))
  expect(networkFindings({ network: null, halts: [] })).toMatchObject([{ status: 'ok' }])
})

test('every command that is to be run exists, with its options', async () => {
  const differences = { ...idle.differences, ledger: old }
  const depositsInReview = { ...old, amountMicroUsdt: 1n }
  const findings = backlogFindings({ ...idle, payouts: old, differences, depositsInReview, pausedEndpoints: 1 }, {})
  const commands = findings.flatMap(({ mend }) => /^quipu-admin ([^:]+)/.exec(mend ?? '')?.[1]?.split(' ') ?? [])
  expect(commands.filter((word) => word.startsWith('list'))).toHaveLength(4)
  for (const { mend } of findings) {
    const [, words] = /^quipu-admin ([^:]+)/.exec(mend ?? '') ?? []
    if (words === undefined) continue
    await using server = await apiServer({ status: 200, body: { data: [], next_cursor: null } })
    expect(await admin([...words.split(' '), '--json'], { env: server.env })).toMatchObject({ code: 0 })
  }
})
