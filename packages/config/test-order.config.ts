import { BaseSequencer, type TestSequencerConstructor } from 'vitest/node'

/**
 * Files that take longer than 15 s on two cores, the longest first: else the last of them runs alone while the other
 * workers are idle.
 */
export const slowest: readonly string[] = [
  'hosts/api/src/test/console/console.test.ts',
  'hosts/lab/src/failover/patroni-failover.test.ts',
  'hosts/local/src/test/faults/process-faults.test.ts',
  'hosts/local/src/test/deployment/compose.test.ts',
  'hosts/local/src/test/faults/ledger-faults.test.ts',
  'packages/postgres/src/connection/standby.test.ts',
  'hosts/example/src/test/docs.test.ts',
  'packages/postgres/src/stores.test.ts',
  'hosts/local/src/test/admin/doctor.test.ts',
  'hosts/lab/src/failover/failover.test.ts',
  'hosts/local/src/test/crash/kill-checking-worker.test.ts',
  'hosts/example/src/test/main.test.ts',
  'hosts/lab/src/simulation/release/other-release.test.ts',
  'hosts/local/src/test/start/restart.test.ts',
  'hosts/example/src/test/other-languages.test.ts',
  'hosts/local/src/test/documents/documents-run.test.ts',
  'hosts/local/src/test/deployment/rotate-master-key.test.ts',
  'hosts/local/src/test/observability/observability.test.ts',
  'hosts/local/src/test/security/ledger-attack.test.ts',
  'hosts/local/src/test/crash/kill-resuming-api.test.ts',
  'hosts/local/src/test/start/start.test.ts',
  'hosts/local/src/test/crash/kill-first-start.test.ts',
  'packages/embedded-postgres/src/cluster/account.test.ts',
  'packages/embedded-postgres/src/failover/replicated.test.ts',
  'hosts/local/src/test/documents/recipes.test.ts',
  'packages/postgres/src/connection/required-standby.test.ts',
  'hosts/local/src/test/admin/onboarding.test.ts',
  'packages/postgres/src/migration/new-server.test.ts',
  'hosts/local/src/test/reconciliation/statement-differences.test.ts',
  'hosts/api/src/test/reference/reference-page.test.ts',
  'hosts/local/src/test/crash/kill-deposit-worker.test.ts',
  'hosts/local/src/test/wiring/wiring.test.ts',
  'hosts/local/src/test/api/black-box.test.ts',
  'hosts/local/src/test/deployment/restore.test.ts',
  'hosts/local/src/test/outage/other-network.test.ts',
  'packages/config/src/check.test.ts',
  'hosts/local/src/test/tracing/worker-trace.test.ts',
  'hosts/example/src/test/quipu-command.test.ts',
  'hosts/local/src/test/crash/kill-webhook-worker.test.ts',
  'hosts/api/src/test/payout/outages.test.ts',
  'packages/postgres/src/migration/migrate.test.ts',
  'hosts/local/src/test/outage/sqs-faults.test.ts',
  'hosts/local/src/test/deployment/cells.test.ts',
  'hosts/lab/src/simulation/run/fixed-seeds.test.ts',
  'docs/model/src/planted-bugs.test.ts',
  'docs/model/src/models.test.ts',
  'hosts/lab/src/fuzz/fuzz.test.ts',
  'hosts/lab/src/simulation/plant/plants.test.ts',
]

/** Where a file comes in the order of files; those that are not listed keep vitest's order. */
const positionOf = (file: string): number => {
  const listed = slowest.findIndex((path) => file.endsWith(`/${path}`))
  return listed < 0 ? slowest.length : listed
}

// Vitest takes a class.
export const slowestFirst: TestSequencerConstructor = class extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => positionOf(a.moduleId) - positionOf(b.moduleId))
  }
}
