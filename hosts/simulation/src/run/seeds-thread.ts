import { parentPort } from 'node:worker_threads'
import { scenarioOf } from '../scenario/scenario.ts'
import { seedReport } from './report.ts'
import { runScenario } from './run.ts'

// Runs each seed that the main thread sends.
parentPort?.on('message', (seed: number) => {
  void runScenario(scenarioOf(seed)).then((result) => parentPort?.postMessage(seedReport(result)))
})
