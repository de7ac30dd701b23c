import { BaseSequencer, type TestSequencerConstructor } from 'vitest/node'

/**
 * Files that take longer than 30 s on two cores, which start first: else the last of them runs alone while the other
 * workers are idle.
 */
export const longTests: readonly string[] = [
  'hosts/local/src/test/faults/process-faults.test.ts',
  'hosts/api/src/test/console/console.test.ts',
  'hosts/local/src/test/deployment/compose.test.ts',
  'packages/postgres/src/stores.test.ts',
  'hosts/example/src/test/main.test.ts',
  'docs/examples/src/empty-project.test.ts',
  'hosts/local/src/test/crash/kill-first-start.test.ts',
  'docs/model/src/planted-faults.test.ts',
  'hosts/local/src/test/deployment/restore.test.ts',
  'hosts/local/src/test/deployment/rotate-master-key.test.ts',
  'hosts/local/src/test/admin/doctor.test.ts',
  'packages/postgres/src/connection/standby.test.ts',
  'hosts/local/src/test/start/restart.test.ts',
  'hosts/local/src/test/crash/kill-checking-worker.test.ts',
  'hosts/local/src/test/documents/documents-run.test.ts',
  'hosts/local/src/test/faults/ledger-faults.test.ts',
  'hosts/local/src/test/api/client.test.ts',
  'hosts/local/src/test/start/start.test.ts',
  'hosts/lab/src/failover/failover.test.ts',
  'hosts/local/src/test/security/ledger-attack.test.ts',
  'hosts/local/src/test/faults/notice-faults.test.ts',
  'hosts/local/src/test/admin/onboarding.test.ts',
]

/** Where a file comes in the order of files; those that are not listed keep vitest's order. */
const positionOf = (file: string): number => {
  const listed = longTests.findIndex((path) => file.endsWith(`/${path}`))
  return listed < 0 ? longTests.length : listed
}

// Vitest takes a class.
export const longTestsFirst: TestSequencerConstructor = class extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]) {
    const sorted = await super.sort(files)
    return sorted.toSorted((a, b) => positionOf(a.moduleId) - positionOf(b.moduleId))
  }
}
