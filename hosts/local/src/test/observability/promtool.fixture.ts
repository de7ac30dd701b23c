import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../documents/documents.fixture.ts'

const promtool = (args: readonly string[], input = '') =>
  spawnSync(process.env['QUIPU_PROMTOOL'] ?? 'promtool', args, {
    cwd: path.join(repository, 'docs/operations'),
    encoding: 'utf8',
    input,
  })
const isInstalled = promtool(['--version']).status === 0

/** Fails where promtool finds a fault. @param args  its arguments; paths from docs/operations */
export function expectPromtool(args: readonly string[], input?: string): void {
  const { status, stdout, stderr } = promtool(args, input)
  expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: '' })
}

/** A test that needs promtool. Where it is not installed, a test that says so stands in its place; a release requires it. */
export function testWithPromtool(name: string, run: () => unknown): void {
  if (isInstalled) test(`promtool: ${name}`, async () => void (await run()))
  else
    test(`NOT RUN, as promtool is not installed: ${name}`, () => {
      console.warn(
        `"${name}" did not run: install Prometheus (Debian: apt-get install prometheus), or set QUIPU_PROMTOOL to its promtool.`,
      )
    })
}
