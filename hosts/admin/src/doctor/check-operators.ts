import type { Stores } from '@quipu/core'
import { isoText } from '@quipu/core/adapter'
import { isTokenActive, type OperatorToken, tokenEndsSoonDays, tokensEndingSoon } from '@quipu/core/operator'
import { type Finding, ok, warn } from './finding.ts'

/** Whether the people who operate can go on doing so: two admins now, and tokens that do not end soon. */
export async function checkOperators(
  tokens: Pick<Stores['operatorTokens'], 'list'>,
  now: Date,
): Promise<readonly Finding[]> {
  const all = await everyToken(tokens)
  return [peopleFinding(all.filter((token) => isTokenActive(token, now))), expiryFinding(tokensEndingSoon(all, now))]
}

function expiryFinding(ending: readonly OperatorToken[]): Finding {
  const check = 'operator-tokens'
  if (ending.length === 0) return ok(check, `none ends within ${tokenEndsSoonDays} days`)
  const detail = ending
    .map(({ id, person, role, expiresAt }) => `${id} of ${person} (${role}) at ${isoText(expiresAt)}`)
    .join(', ')
  return warn(
    check,
    `ending soon, without a successor: ${detail}`,
    'quipu-admin operator-tokens issue, before they end: an operator or admin needs the approval of another admin.',
  )
}

/** Whether two admins can act: one proposes tokens, keys and limits, and another approves. Two of them can also move money. */
function peopleFinding(active: readonly OperatorToken[]): Finding {
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

async function everyToken(tokens: Pick<Stores['operatorTokens'], 'list'>): Promise<readonly OperatorToken[]> {
  const found: OperatorToken[] = []
  let after: Awaited<ReturnType<typeof tokens.list>>['next'] = null
  do {
    const page = await tokens.list({ limit: 100, ...(after && { after }) })
    found.push(...page.items)
    after = page.next
  } while (after !== null)
  return found
}
