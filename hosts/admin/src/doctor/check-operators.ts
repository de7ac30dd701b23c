import type { Stores } from '@quipu/core'
import { isTokenActive, type OperatorToken } from '@quipu/core/operator'
import { type Finding, ok, warn } from './finding.ts'

/** Whether two admins can act: one proposes tokens, keys and limits, and another approves. Two of them can also move money. */
export async function checkOperators(
  tokens: Pick<Stores['operatorTokens'], 'list'>,
  now: Date,
): Promise<Finding> {
  const active = (await everyToken(tokens)).filter((token) => isTokenActive(token, now))
  const people = (roles: readonly OperatorToken['role'][]): number =>
    new Set(active.filter(({ role }) => roles.includes(role)).map(({ person }) => person)).size
  const [admins, writers] = [people(['admin']), people(['operator', 'admin'])]
  const detail = `people with an active token: ${writers} who may propose and approve, ${admins} of them admin`
  if (admins >= 2) return ok('operators', detail)
  return warn(
    'operators',
    detail,
    'quipu-admin token create: two people are needed for what moves money, and two admins for tokens, keys and limits.',
  )
}

async function everyToken(
  tokens: Pick<Stores['operatorTokens'], 'list'>,
): Promise<readonly OperatorToken[]> {
  const found: OperatorToken[] = []
  let after: Awaited<ReturnType<typeof tokens.list>>['next'] = null
  do {
    const page = await tokens.list({ limit: 100, ...(after && { after }) })
    found.push(...page.items)
    after = page.next
  } while (after !== null)
  return found
}
