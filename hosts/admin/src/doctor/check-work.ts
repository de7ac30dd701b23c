import { faultLimits } from '@quipu/api/settings'
import { toDecimal, usdt } from '@quipu/core'
import { type Backlog, type BacklogCount, isoText } from '@quipu/core/adapter'
import {
  backlogFaults,
  type Fault,
  type FaultCode,
  lockFaults,
  networkFaults,
  type NetworkRecord,
  processFaults,
  processingAlertSeconds,
  reconciliationFaults,
  type RecordedProcess,
  rollOf,
} from '@quipu/core/operator'
import { fail, type Finding, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** The check that shows a fault, with its subject if it can have several, and what mends the fault. */
type Shown = { readonly check: string; readonly isNamed?: true; readonly isWarning?: true; readonly mend: string }

/** The ledger check shows whether a worker runs. Reviews are shown before they are faults. */
const shown: Readonly<Partial<Record<FaultCode, Shown>>> = {
  PROCESS_MISSING: {
    check: 'processes',
    isNamed: true,
    mend: 'Start another one; the log of that machine has the cause.',
  },
  CLOCK_APART: { check: 'processes', isNamed: true, mend: 'Repair the time synchronisation of that machine.' },
  LEDGER_UNCHECKED: { check: 'workers', mend: 'Start a worker, or read the log of the running ones.' },
  SCAN_BEHIND: { check: 'scans', isNamed: true, mend: 'Check the provider (below), and that a worker runs.' },
  DEPOSITS_BEHIND: {
    check: 'deposits.undecided',
    mend: 'Check the provider that the reason names, and that a worker runs.',
  },
  NOTICES_BEHIND: {
    check: 'notices',
    isWarning: true,
    mend: 'Check the mail gateway at TENANT_NOTICE_URL, and that a worker runs.',
  },
  ALERTS_BEHIND: { check: 'alerts', mend: 'Check the gateway at OPERATOR_ALERT_URL: quipu-admin alerts test.' },
  LOCK_HELD: { check: 'database.locks', mend: 'End that session.' },
  RECONCILIATION_LATE: {
    check: 'reconciliations',
    isNamed: true,
    mend: 'Check that a worker runs, and the failure in quipu-admin reconciliation list-runs.',
  },
  RECONCILIATION_EMPTY: { check: 'reconciliations', isNamed: true, mend: 'Run quipu-admin reconcile with this check.' },
  NETWORK_CHANGED: { check: 'network.identity', mend: 'Read the runbook before you confirm a network.' },
}

function findingOf({ code, subject, detail }: Fault): readonly Finding[] {
  const by = shown[code]
  if (!by) return []
  const mend = `${by.mend} docs/operations/alerts.md#${code.toLowerCase()}`
  const [check, text] = by.isNamed
    ? [`${by.check}.${subject.replace(' ', '.')}`, detail]
    : [by.check, `${subject}: ${detail}`]
  return [by.isWarning ? warn(check, text, mend) : fail(check, text, mend)]
}

/** A finding for each fault, and for each of these checks without one. @param well  what such a check finds */
function findingsOf(faults: readonly Fault[], well: Readonly<Record<string, string>>): readonly Finding[] {
  const found = faults.flatMap(findingOf)
  const isFound = (name: string): boolean => found.some(({ check }) => `${check}.`.startsWith(`${name}.`))
  return [...found, ...Object.entries(well).flatMap(([check, detail]) => (isFound(check) ? [] : [ok(check, detail)]))]
}

/** Missing processes, and clocks. */
export function processFindings(processes: readonly RecordedProcess[], settings: ReadSettings): readonly Finding[] {
  const limits = faultLimits(settings)
  const roll = rollOf(processes, limits.processMissingSeconds)
  return findingsOf(processFaults(roll, limits), { processes: `${roll.running.length} run` })
}

/** Whether every process uses the database's QR network, which knows its payouts. */
export const networkFindings = (record: NetworkRecord): readonly Finding[] =>
  findingsOf(networkFaults(record), { 'network.identity': 'every process uses the network of the payouts' })

/** The queued work, and whether workers do it. */
export function backlogFindings(backlog: Backlog, settings: ReadSettings): readonly Finding[] {
  const limits = faultLimits(settings)
  const { scans, reconciliations, alerts, ledger } = backlog
  const faults = [
    ...backlogFaults(backlog, limits),
    ...reconciliationFaults(backlog, limits, { runMacKeys: undefined }),
    ...lockFaults(backlog),
  ]
  const well = {
    workers:
      ledger.uncheckedSeconds === 0
        ? 'there is no wallet to check yet'
        : `the last complete ledger check ended ${Math.round(ledger.uncheckedSeconds)} s ago`,
    ...Object.fromEntries(
      scans.map(({ chain, view, behindSeconds }) => [
        `scans.${chain}.${view}`,
        `scanned up to a block of ${Math.round(behindSeconds)} s ago`,
      ]),
    ),
    ...Object.fromEntries(
      reconciliations.map(({ check, completedSeconds }) => [
        `reconciliations.${check}`,
        `the last run was completed ${Math.round(completedSeconds / 3_600)} h ago`,
      ]),
    ),
    'database.locks': 'no session holds one for long',
    notices: textOf(backlog.notices),
    alerts:
      alerts.acceptedAt === null
        ? 'none was sent yet'
        : `the gateway last accepted one at ${isoText(alerts.acceptedAt)}`,
    'deposits.undecided': textOf(backlog.undecidedDeposits),
  }
  return [...findingsOf(faults, well), ...differenceFindings(backlog), ...waitFindings(backlog)]
}

const textOf = ({ count, oldestSeconds }: BacklogCount): string =>
  count === 0 ? 'none waits' : `${count} wait, the oldest for ${Math.round(oldestSeconds)} s`

function differenceFindings({ differences }: Backlog): readonly Finding[] {
  const open = Object.entries(differences).filter(([, { count }]) => count > 0)
  if (open.length === 0) return [ok('differences', 'none is open')]
  return open.map(([name, waiting]) =>
    fail(`differences.${name}`, textOf(waiting), 'quipu-admin differences list --status open'),
  )
}

/** Work that is no fault: it waits for a person, or longer than it should. */
function waitFindings(backlog: Backlog): readonly Finding[] {
  const { payouts, deliveries, pausedEndpoints, failingEndpoints, depositsInReview, screeningCases } = backlog
  const sum = toDecimal(usdt(depositsInReview.amountMicroUsdt))
  const wait = (check: string, waiting: BacklogCount, mend: string, sinceSeconds = 0, detail = textOf(waiting)) =>
    waiting.count > 0 && waiting.oldestSeconds >= sinceSeconds ? warn(check, detail, mend) : ok(check, detail)
  return [
    wait(
      'payouts.processing',
      payouts,
      `quipu-admin payouts list --status processing --older-than-seconds ${processingAlertSeconds}: docs/operations/alerts.md#processing_too_long.`,
      processingAlertSeconds,
    ),
    wait('webhooks.deliveries', deliveries.fast, 'Start workers with WEBHOOK_DELIVERY=on and WEBHOOK_SECRET_KEY.', 60),
    wait(
      'webhooks.failing',
      failingEndpoints,
      'quipu-admin webhooks list-endpoints: those with failing_since; notify their tenants (alert WEBHOOK_FAILING).',
    ),
    wait(
      'webhooks.endpoints',
      { count: pausedEndpoints, oldestSeconds: 0 },
      'quipu-admin webhooks list-endpoints --status paused: notify the technical contacts of the tenants that failures paused (alert WEBHOOK_PAUSED).',
      0,
      `${pausedEndpoints} paused`,
    ),
    wait(
      'deposits.in_review',
      depositsInReview,
      'quipu-admin deposits list --status in_review --open true',
      0,
      `${textOf(depositsInReview)}, ${sum} USDT`,
    ),
    wait('screening.cases', screeningCases, 'quipu-admin screening list-cases --status open'),
    backlog.isQuotingPaused
      ? warn(
          'rates.quoting',
          'an operator has paused it: new quotes are refused',
          'quipu-admin rates get shows the sources; quipu-admin rates resume ends the pause.',
        )
      : ok('rates.quoting', 'not paused'),
  ]
}
