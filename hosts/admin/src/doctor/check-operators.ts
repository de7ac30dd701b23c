import type { Stores } from '@quipu/core'
import { isoText } from '@quipu/core/adapter'
import { isTokenActive, type OperatorToken } from '@quipu/core/operator'
import { type Finding, ok, warn } from './finding.ts'

/** An active token ends within this many days. Its successor may need two people. @source assumed */
const endsSoonDays = 14

/** Whether the people who operate can go on doing so: two admins now, and tokens that do not end soon. */
export async function checkOperators(
  tokens: Pick<Stores['operatorTokens'], 'list'>,
  now: Date,
): Promise<readonly Finding[]> {
  const active = (await everyToken(tokens)).filter((token) => isTokenActive(token, now))
  return [peopleFinding(active), expiryFinding(active, now)]
}

/** A token is replaced once the same person has one of the same role that ends later. */
function expiryFinding(active: readonly OperatorToken[], now: Date): Finding {
  const check = 'operator-tokens'
  const soon = new Date(now.getTime() + endsSoonDays * 86_400_000)
  const ending = active.filter(
    ({ person, role, expiresAt }) =>
      expiresAt < soon &&
      !active.some((other) => other.person === person && other.role === role && other.expiresAt >= soon),
  )
  if (ending.length === 0) return ok(check, `none ends within ${endsSoonDays} days`)
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
