import { parentPort, workerData } from 'node:worker_threads'
import { plantsOf } from '../plant/plants.ts'
import { scenarioOf } from '../scenario/scenario.ts'
import { seedReport } from './report.ts'
import { runScenario } from './run.ts'

// Runs each seed that the main thread sends, with the planted fault that it named.
const plants = plantsOf(workerData as string | undefined)
parentPort?.on('message', (seed: number) => {
  void runScenario(scenarioOf(seed), plants).then((result) =>
    parentPort?.postMessage(seedReport(result)),
  )
})
