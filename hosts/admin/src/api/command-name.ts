const lower = (text: string): string => text.toLowerCase()

/** `API keys` → `api-keys` */
const kebab = (text: string): string => lower(text.trim()).replaceAll(/[^a-z0-9]+/g, '-')

/** `rotateTopUpAddress` → `rotate`, `top`, `up`, `address` */
const wordsOf = (operationId: string): readonly string[] => operationId.split(/(?=[A-Z])/).map(lower)

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/(?<=ss|x|[cs]h)es$|(?<!s)s$/, '')

/** Where an operation stands in the command line: `quipu-admin <group> <verb>`. */
export type CommandName = { readonly group: string; readonly verb: string }

/**
 * The group is the operation's tag. The verb is the operation's id without the group's noun:
 * `issueApiKey` of `API keys` is `api-keys issue`, `rotateTopUpAddress` of `Deposits` is
 * `deposits rotate-top-up-address`, `listReconciliationRuns` of `Reconciliation` is `reconciliation list-runs`, `getOwnOperatorToken` of
 * `Operator tokens` is `operator-tokens get-own`.
 */
export function commandName(operationId: string, tag: string): CommandName {
  const group = kebab(tag)
  const [verb = '', ...rest] = wordsOf(operationId)
  const noun = rest.join('-')
  if (noun === '' || singular(noun) === singular(group)) return { group, verb }
  const ofGroup = `${singular(group)}-`
  const after = `-${singular(group)}`
  if (singular(noun).endsWith(after)) return { group, verb: `${verb}-${singular(noun).slice(0, -after.length)}` }
  const own = noun.startsWith(ofGroup) ? noun.slice(ofGroup.length) : noun
  return { group, verb: `${verb}-${own}` }
}

/** A second name of a group in the plural: `tenant` for `tenants`. */
export const aliasOf = (group: string): string | undefined => (singular(group) === group ? undefined : singular(group))

/** Whether a word of a command line names the group of a tag. */
export function isGroupOf(tag: string, word: string | undefined): boolean {
  const group = kebab(tag)
  return word === group || (word !== undefined && word === aliasOf(group))
}

/** `technical_contact.name` → `technical-contact-name` */
export const flagOf = (member: string): string => kebab(member)

/** The name of a path's parameter in a command: the `{id}` of `/tenants/{id}` is `tenant-id`. */
export function argumentName(path: string, parameter: string): string {
  if (parameter !== 'id') return kebab(parameter)
  const segments = path.split('/')
  const noun = segments[segments.indexOf('{id}') - 1] ?? ''
  return `${singular(noun)}-id`
}
