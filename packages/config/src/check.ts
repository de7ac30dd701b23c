// Runs every guard and reports each result: `node check.ts`, at the root.
import { checkPackages, checkSources, checkTypes } from './check-guards.ts'

const built = async (): Promise<boolean> => (await checkTypes()) && (await checkPackages())

const results = await Promise.all([built(), checkSources()])
if (results.includes(false)) process.exitCode = 1
