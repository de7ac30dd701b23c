import { toDecimal, usdt } from '@quipu/core'
import { type Backlog, isoText } from '@quipu/core/adapter'
import {
  defaultFaultLimits,
  lockFaults,
  networkFaults,
  type NetworkRecord,
  processFaults,
  processingAlertSeconds,
  type RecordedProcess,
  rollOf,
} from '@quipu/core/operator'
import { fail, type Finding, ok, warn } from './finding.ts'

/** From when on the doctor warns of work that is no fault. */
const limits = { processingSeconds: processingAlertSeconds, dueSeconds: 60 }

/** The queued work, and whether workers do it. */
export function backlogFindings(backlog: Backlog): readonly Finding[] {
  return [
    workerFinding(backlog),
    ...scanFindings(backlog),
    ...differenceFindings(backlog),
    ...reconciliationFindings(backlog),
    ...lockFindings(backlog),
    payoutFinding(backlog),
    deliveryFinding(backlog),
    endpointFinding(backlog),
    failingFinding(backlog),
    noticeFinding(backlog),
    alertFinding(backlog),
    undecidedFinding(backlog),
    reviewFinding(backlog),
    screeningFinding(backlog),
    quotingFinding(backlog),
  ]
}

/** Missing processes, and clocks. The ledger check shows whether a worker runs. */
export function processFindings(processes: readonly RecordedProcess[]): readonly Finding[] {
  const roll = rollOf(processes, defaultFaultLimits.processMissingSeconds)
  const faults = processFaults(roll, defaultFaultLimits).filter(({ code }) => code !== 'NO_WORKER')
  if (faults.length === 0) return [ok('processes', `${roll.running.length} run`)]
  return faults.map(({ code, subject, detail }) =>
    fail(
      `processes.${subject}`,
      detail,
      code === 'CLOCK_APART'
        ? 'Repair the time synchronisation of that machine.'
        : 'Start another one; the log of that machine has the cause.',
    ),
  )
}

function workerFinding({ ledger: { uncheckedSeconds } }: Backlog): Finding {
  const check = 'workers'
  if (uncheckedSeconds === 0) return ok(check, 'there is no wallet to check yet')
  const seconds = Math.round(uncheckedSeconds)
  const detail = `the last complete ledger check ended ${seconds} s ago`
  return seconds > defaultFaultLimits.ledgerUncheckedSeconds
    ? fail(check, detail, 'Start a worker, or read the log of the running ones: none has checked the ledger.')
    : ok(check, detail)
}

const scanFindings = ({ scans }: Backlog): readonly Finding[] =>
  scans.map(({ chain, view, behindSeconds }) => {
    const check = `scans.${chain}.${view}`
    const detail = `scanned up to a block of ${Math.round(behindSeconds)} s ago`
    return behindSeconds > defaultFaultLimits.scanBehindSeconds
      ? fail(check, detail, 'Check the provider (below), the alert CHAIN_CONTRADICTS, and that a worker runs.')
      : ok(check, detail)
  })

function differenceFindings({ differences }: Backlog): readonly Finding[] {
  const open = Object.entries(differences).filter(([, { count }]) => count > 0)
  if (open.length === 0) return [ok('differences', 'none is open')]
  return open.map(([name, { count, oldestSeconds }]) =>
    fail(
      `differences.${name}`,
      `${count} open, the oldest for ${Math.round(oldestSeconds)} s`,
      'quipu-admin differences list --status open',
    ),
  )
}

const reconciliationFindings = ({ reconciliations }: Backlog): readonly Finding[] =>
  reconciliations.map(({ check: name, completedSeconds, hasSkipped }) => {
    const check = `reconciliations.${name}`
    const detail = `the last run was completed ${Math.round(completedSeconds / 3_600)} h ago`
    if (hasSkipped)
      return fail(
        check,
        'the newest completed run compared nothing, although there was something to compare',
        `quipu-admin reconcile ${name} (alert RECONCILIATION_EMPTY)`,
      )
    return completedSeconds > defaultFaultLimits.reconciledSeconds
      ? fail(check, detail, 'Check that a worker runs, and the failure in quipu-admin reconciliation list-runs.')
      : ok(check, detail)
  })

function lockFindings(backlog: Backlog): readonly Finding[] {
  const check = 'database.locks'
  const faults = lockFaults(backlog)
  if (faults.length === 0) return [ok(check, 'no session holds one for long')]
  return faults.map(({ subject, detail }) =>
    fail(check, `${subject}: ${detail}`, 'End that session: docs/operations/alerts.md#lock_held.'),
  )
}

/** Whether every process uses the database's QR network, which knows its payouts. */
export function networkFindings(record: NetworkRecord): readonly Finding[] {
  const check = 'network.identity'
  const faults = networkFaults(record)
  if (faults.length === 0) return [ok(check, 'every process uses the network of the payouts')]
  return faults.map(({ subject, detail }) =>
    fail(check, `${subject}: ${detail}`, 'See docs/operations/alerts.md#network_changed before you confirm one.'),
  )
}

function payoutFinding({ payouts: { count, oldestSeconds } }: Backlog): Finding {
  const check = 'payouts.processing'
  const detail = count === 0 ? 'none' : `${count}, the oldest for ${Math.round(oldestSeconds)} s`
  return oldestSeconds > limits.processingSeconds
    ? warn(
        check,
        detail,
        `quipu-admin payouts list --status processing --older-than-seconds ${limits.processingSeconds}: docs/operations/alerts.md#processing_too_long.`,
      )
    : ok(check, detail)
}

function deliveryFinding({ deliveries: { fast } }: Backlog): Finding {
  const check = 'webhooks.deliveries'
  const seconds = Math.round(fast.oldestSeconds)
  const detail = fast.count === 0 ? 'none is due' : `${fast.count} due, the oldest for ${seconds} s`
  return seconds > limits.dueSeconds
    ? warn(check, detail, 'Start workers with WEBHOOK_DELIVERY=on and WEBHOOK_SECRET_KEY.')
    : ok(check, detail)
}

function failingFinding({ failingEndpoints: { count, oldestSeconds } }: Backlog): Finding {
  const check = 'webhooks.failing'
  return count > 0
    ? warn(
        check,
        `${count} accept no event, the longest for ${Math.round(oldestSeconds)} s`,
        'quipu-admin webhooks list-endpoints: those with failing_since; notify their tenants (alert WEBHOOK_FAILING).',
      )
    : ok(check, 'every active endpoint accepts events')
}

function endpointFinding({ pausedEndpoints: count }: Backlog): Finding {
  const check = 'webhooks.endpoints'
  return count > 0
    ? warn(
        check,
        `${count} paused`,
        'quipu-admin webhooks list-endpoints --status paused: notify the technical contacts of the tenants that failures paused (alert WEBHOOK_PAUSED).',
      )
    : ok(check, 'none is paused')
}

function noticeFinding({ notices: { count, oldestSeconds } }: Backlog): Finding {
  const check = 'notices'
  const seconds = Math.round(oldestSeconds)
  return oldestSeconds > defaultFaultLimits.noticesBehindSeconds
    ? warn(
        check,
        `${count} to technical contacts wait, the oldest for ${seconds} s`,
        'Check the mail gateway at TENANT_NOTICE_URL, and that a worker runs (alert NOTICES_BEHIND).',
      )
    : ok(check, count === 0 ? 'none waits' : `${count} wait, the oldest for ${seconds} s`)
}

function alertFinding({ alerts: { waiting, acceptedAt } }: Backlog): Finding {
  const check = 'alerts'
  if (waiting.oldestSeconds > defaultFaultLimits.noticesBehindSeconds)
    return fail(
      check,
      `${waiting.count} wait, the oldest for ${Math.round(waiting.oldestSeconds)} s`,
      'Check the gateway at OPERATOR_ALERT_URL: quipu-admin alerts test (alert ALERTS_BEHIND).',
    )
  return ok(
    check,
    acceptedAt === null ? 'none was sent yet' : `the gateway last accepted one at ${isoText(acceptedAt)}`,
  )
}

function reviewFinding({ depositsInReview: { count, oldestSeconds, amountMicroUsdt } }: Backlog): Finding {
  const check = 'deposits.in_review'
  const sum = toDecimal(usdt(amountMicroUsdt))
  return count > 0
    ? warn(
        check,
        `${count} of ${sum} USDT wait, the oldest for ${Math.round(oldestSeconds)} s`,
        'quipu-admin deposits list --status in_review --open true',
      )
    : ok(check, 'none waits')
}

const screeningFinding = ({ screeningCases: { count } }: Backlog): Finding =>
  count > 0
    ? warn('screening.cases', `${count} wait`, 'quipu-admin screening list-cases --status open')
    : ok('screening.cases', 'none waits')

function undecidedFinding({ undecidedDeposits }: Backlog): Finding {
  const { count, oldest, oldestSeconds } = undecidedDeposits
  const check = 'deposits.undecided'
  const seconds = Math.round(oldestSeconds)
  return oldest !== null && oldestSeconds > defaultFaultLimits.depositsBehindSeconds
    ? fail(
        check,
        `${count} in solid blocks are not decided, the oldest, ${oldest.depositId}, for ${seconds} s: ${oldest.problem ?? 'no worker has tried'}`,
        'Check the provider that the reason names, and that a worker runs (alert DEPOSITS_BEHIND).',
      )
    : ok(check, count === 0 ? 'none waits' : `${count} wait, the oldest for ${seconds} s`)
}

const quotingFinding = ({ isQuotingPaused }: Backlog): Finding =>
  isQuotingPaused
    ? warn(
        'rates.quoting',
        'an operator has paused it: new quotes are refused',
        'quipu-admin rates get shows the sources; quipu-admin rates resume ends the pause.',
      )
    : ok('rates.quoting', 'not paused')
