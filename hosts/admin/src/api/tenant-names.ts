import type { CallApi } from '../connection/call-api.ts'
import { usageError } from '../exit.ts'
import type { Operation } from './operations.ts'

type Values = Readonly<Record<string, string | readonly string[] | undefined>>
type Tenants = {
  readonly data: readonly { readonly id: string; readonly legal_name: string }[]
  readonly next_cursor: string | null
}

/** Pages of tenants that a name is looked for in: 2,000 tenants each. */
const pagesMax = 50

/**
 * Puts ids in the place of tenants' names. Only reads take a name: what changes something takes the id.
 *
 * @throws CommandError unless exactly one tenant has the name, or the text in its name or contact
 */
export async function withTenantIds(operation: Operation, values: Values, call: CallApi): Promise<Values> {
  const isTenant = ({ in: place, name, flag }: Operation['members'][number]) =>
    (place === 'query' && name === 'tenant_id') || (place === 'path' && flag === 'tenant-id')
  const member = operation.method === 'get' ? operation.members.find(isTenant) : undefined
  const given = member && values[member.flag]
  if (member === undefined || typeof given !== 'string' || given.startsWith('ten_')) return values
  return { ...values, [member.flag]: await idOf(given, call) }
}

async function idOf(name: string, call: CallApi): Promise<string> {
  const found: Tenants['data'][number][] = []
  let cursor: string | null = ''
  for (let read = 0; read < pagesMax && cursor !== null; read++) {
    const query = new URLSearchParams({ text: name, limit: '100', ...(cursor !== '' && { cursor }) }).toString()
    const answer = await call({ method: 'get', path: `/operator/v1/tenants?${query}`, headers: {}, body: undefined })
    const page = answer.json as Tenants
    found.push(...page.data)
    cursor = page.next_cursor
  }
  const exact = found.filter(({ legal_name: legal }) => legal === name)
  const [only, ...others] = exact.length > 0 ? exact : found
  if (only !== undefined && others.length === 0) return only.id
  const matching = (exact.length > 0 ? exact : found)
    .slice(0, 10)
    .map(({ id, legal_name: legal }) => `\n  ${id}  ${legal}`)
  throw usageError(
    matching.length === 0
      ? `No tenant has “${name}” in its name or contact.`
      : `“${name}” fits these tenants:${matching.join('')}`,
  )
}
