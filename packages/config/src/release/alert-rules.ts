import { join } from 'node:path'
import process from 'node:process'
import { run } from '../command.ts'
import type { Result, Step } from './step.ts'

const commands = [
  ['check', 'rules', 'alerts.yaml'],
  ['test', 'rules', 'alerts.test.yaml'],
] as const

/** Whether Prometheus' own tool accepts the alert rules and their tests. @param promtool  its path */
export async function promtoolResult(root: string, promtool: string): Promise<Result> {
  const folder = join(root, 'docs', 'operations')
  if ((await run([promtool, '--version'], folder)).code !== 0) {
    const advice = `install Prometheus (Debian: apt-get install prometheus), or set QUIPU_PROMTOOL to its promtool`
    return { summary: 'not checked', missing: [`${promtool} does not run: ${advice}`] }
  }
  const outcomes = await Promise.all(commands.map((args) => run([promtool, ...args], folder)))
  const wrong = outcomes.filter(({ code }) => code !== 0).map(({ output }) => output)
  return { summary: 'valid, and each alert fires and is quiet as its test says', wrong }
}

/** The rules that Prometheus loads, and their tests. */
export const alertRules: Step = {
  name: 'alert rules',
  run: ({ root }) => promtoolResult(root, process.env['QUIPU_PROMTOOL'] ?? 'promtool'),
}
