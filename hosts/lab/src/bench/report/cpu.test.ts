import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { endedChildrenCpu, isCpuMeasured, startUsage, treeCpu } from './cpu.ts'

test('CPU time of ended threads and children counts once', async () => {
  if (!isCpuMeasured) {
    expect(treeCpu(process.pid)()).toBeNaN()
    return
  }
  const program = new URL('cpu-tree.fixture.ts', import.meta.url).pathname
  const waitedFor = endedChildrenCpu()
  const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] })
  onTestFinished(() => void parent.kill())
  const [reported] = (await once(parent.stdout, 'data')) as [Buffer]
  const reportedUs = Number(reported.toString())

  const measuredUs = treeCpu(parent.pid ?? 0)()

  expect(reportedUs).toBeGreaterThan(300_000)
  expect(measuredUs).toBeGreaterThan(reportedUs - 50_000) // The kernel rounds down to ticks.
  expect(measuredUs).toBeLessThan(reportedUs + 250_000) // A child runs on after its report.
  parent.kill()
  await once(parent, 'exit')
  expect(endedChildrenCpu() - waitedFor).toBeGreaterThanOrEqual(measuredUs)
})

test('a measurement counts from its start, for each source', () => {
  const readings = [5, 25]
  const end = startUsage({ first: () => readings.shift() ?? 0, second: () => 7 })

  const { cpuUs, idle } = end()

  expect(cpuUs).toEqual({ first: 20, second: 0 })
  expect(Number.isNaN(idle) || (idle >= 0 && idle <= 1)).toBe(true)
})
