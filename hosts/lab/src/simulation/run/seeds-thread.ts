import { parentPort, workerData } from 'node:worker_threads'
import { scenarioOf } from '../scenario/scenario.ts'
import { type Request, runOptions } from './options-of-runs.ts'
import { seedReport } from './report.ts'
import { runScenario } from './run.ts'

// Runs each seed that the main thread sends, as it was asked for.
const options = await runOptions(workerData as Request)
parentPort?.on('message', (seed: number) => {
  void runScenario(scenarioOf(seed), options).then((result) => parentPort?.postMessage(seedReport(result)))
})
