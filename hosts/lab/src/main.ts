import { OptionError } from './run/options.ts'
import { publish } from './run/report.ts'
import type { Subject } from './run/subject.ts'

// `main.ts <subject> [options]` runs a subject of the laboratory. It exits with 1 after a failure, and with 2 when an
// option cannot be used.

type Loaded = { readonly subject: Subject }

/** Every subject, by the name of its command. Each loads what it needs alone. */
const subjects: Readonly<Record<string, () => Promise<Loaded>>> = {
  simulate: () => import('./simulation/simulate.ts'),
  chaos: () => import('./chaos/chaos.ts'),
  failover: () => import('./failover/failover.ts'),
  clients: () => import('./clients/clients.ts'),
  bruno: () => import('./clients/bruno.ts'),
  fuzz: () => import('./fuzz/fuzz.ts'),
  bench: () => import('./bench/bench.ts'),
  'bench:flow': () => import('./bench/flow.ts'),
  'bench:growth': () => import('./bench/growth.ts'),
}

const [name = '', ...args] = process.argv.slice(2)
const load = subjects[name]
if (load === undefined) {
  console.error(`Unknown subject ${name}: the subjects are ${Object.keys(subjects).join(', ')}.`)
  process.exitCode = 2
} else {
  const { subject } = await load()
  process.exitCode = await runSubject(name, subject)
}

async function runSubject(name: string, { usage, prepare }: Subject): Promise<number> {
  const lines = [`Usage: npx -y pnpm@12 ${name} [options]`, ...usage]
  if (args.includes('--help')) {
    console.log(lines.join('\n'))
    return 0
  }
  const say = (line: string): void => console.log(line)
  try {
    const { out, options, run } = prepare(args)
    const report = await run(say)
    await publish(report, { subject: name, out, options, say })
    return report.failures.length === 0 ? 0 : 1
  } catch (error) {
    if (!(error instanceof OptionError)) throw error
    console.error([error.message, '', ...lines].join('\n'))
    return 2
  }
}
