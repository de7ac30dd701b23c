import { pnpm } from '../archives.ts'
import { type Outcome, run } from '../command.ts'
import type { Result, Step } from './step.ts'

/** The registry answered with an error, or not at all. */
const isUnanswered = ({ output }: Outcome): boolean => output.includes('ERR_PNPM_AUDIT_')

const remedy = 'Raise what the advisories name, or what needs it; `pnpm audit --fix` writes overrides for the rest.'

/** Asks the registry for known vulnerabilities of the packages in the lockfile. */
export async function audit(root: string, ...options: readonly string[]): Promise<Result> {
  const outcome = await run([...pnpm, 'audit', ...options], root)
  if (outcome.code === 0) return { summary: 'none known' }
  if (!isUnanswered(outcome)) return { summary: 'found', wrong: [outcome.output, remedy] }
  const [reason = 'did not answer'] = /responded with \d+/.exec(outcome.output) ?? []
  const advice = 'run it again with one that has, such as https://registry.npmjs.org itself'
  const missing = `this registry has no advisories (its service ${reason}): ${advice}`
  return { summary: 'not checked', missing: [missing] }
}

/** Any advisory of what processes run; severe ones of the tools that build, test and publish. */
export const advisories: Step = {
  name: 'advisories',
  async run({ root }) {
    const production = await audit(root, '--prod')
    if (production.summary !== 'none known') return production
    const tools = await audit(root, '--audit-level', 'high')
    return { ...tools, summary: `${tools.summary}, production at any level and tools at high` }
  },
}
