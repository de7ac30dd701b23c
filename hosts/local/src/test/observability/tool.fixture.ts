import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { repository } from '../documents/documents.fixture.ts'

const tools = {
  promtool: { variable: 'QUIPU_PROMTOOL', advice: 'install Prometheus (Debian: apt-get install prometheus)' },
  amtool: {
    variable: 'QUIPU_AMTOOL',
    advice: 'install Alertmanager (Debian: apt-get install prometheus-alertmanager)',
  },
} as const
type Tool = keyof typeof tools

const run = (tool: Tool, args: readonly string[], input = '') =>
  spawnSync(process.env[tools[tool].variable] ?? tool, args, {
    cwd: path.join(repository, 'docs/operations'),
    encoding: 'utf8',
    input,
  })

/** Fails where the tool finds a fault. @param args  its arguments; paths from docs/operations */
export function expectTool(tool: Tool, args: readonly string[], input?: string): string {
  const { status, stdout, stderr } = run(tool, args, input)
  expect({ status, stderr: stderr.replace(/^Warning: .*\n/gm, '') }, stdout).toEqual({ status: 0, stderr: '' })
  return stdout
}

/** A test that needs a tool. Where it is not installed, a test that says so stands in its place; a release requires promtool. */
export function testWithTool(tool: Tool, name: string, body: () => unknown): void {
  const { variable, advice } = tools[tool]
  if (run(tool, ['--version']).status === 0) test(`${tool}: ${name}`, async () => void (await body()))
  else
    test(`NOT RUN, as ${tool} is not installed: ${name}`, () => {
      expect(run(tool, ['--version']).status).not.toBe(0)
      console.warn(`"${name}" did not run: ${advice}, or set ${variable} to its ${tool}.`)
    })
}
