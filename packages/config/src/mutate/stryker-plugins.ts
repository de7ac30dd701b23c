// Plugins of Stryker, which loads this file by its path: what is not mutated, and where results are published.
import { type Channel, channel } from 'node:diagnostics_channel'

/** What Stryker says of a mutant. Lines and columns count from 1. */
export type StrykerMutant = {
  readonly fileName: string
  readonly location: { readonly start: StrykerPosition; readonly end: StrykerPosition }
  readonly mutatorName: string
  readonly replacement?: string
  readonly status: string
}
export type StrykerPosition = { readonly line: number; readonly column: number }

/** A mutant before its tests, with a status if it has none. Lines and columns count from 0. */
export type PlannedMutant = Omit<StrykerMutant, 'status'> & { readonly status?: string }

/** Publishes each `StrykerMutant` when its tests have ended. */
export const testedMutants: Channel = channel('quipu:tested-mutants')
/** Publishes all `PlannedMutant`s before the first is tested. */
export const plannedMutants: Channel = channel('quipu:planned-mutants')

const reporter = {
  onMutationTestingPlanReady: ({ mutantPlans }: { mutantPlans: { mutant: PlannedMutant }[] }) => {
    plannedMutants.publish(mutantPlans.map(({ mutant }) => mutant))
  },
  onMutantTested: (mutant: StrykerMutant) => {
    testedMutants.publish(mutant)
  },
}

/** The part of Babel's path that is read. */
type Path = {
  readonly node: {
    readonly type: string
    readonly callee?: { readonly name?: string; readonly property?: { readonly name?: string } }
    readonly key?: { readonly name?: string }
    readonly properties?: readonly Path['node'][]
  }
  readonly parentPath: Path | null
}

const isDocumentText = ({ type, key }: Path['node']): boolean =>
  type === 'ObjectProperty' && ['description', 'examples'].includes(key?.name ?? '')

/** The texts that a schema's `.meta()` adds to the OpenAPI documents: one of its members, or all. */
function isTextOfSchema({ node, parentPath }: Path): boolean {
  const isWhole = node.type === 'ObjectExpression' && node.properties?.every(isDocumentText)
  if (!isWhole && !isDocumentText(node)) return false
  const call = isWhole ? parentPath : parentPath?.parentPath
  return call?.node.callee?.property?.name === 'meta'
}

/**
 * Leaves out texts of the OpenAPI documents, plain string literals, and template literals in the message of an error.
 * The empty string in place of a member of a union does not compile; any other plain string is a message.
 */
function ignoredText(path: Path): string | undefined {
  const { node, parentPath } = path
  if (isTextOfSchema(path)) return 'a text of a document'
  if (node.type === 'StringLiteral') return 'a message, or checked by the compiler'
  if (node.type !== 'TemplateLiteral') return undefined
  for (let outer = parentPath; outer; outer = outer.parentPath) {
    const { type, callee } = outer.node
    if (type === 'NewExpression' && callee?.name?.endsWith('Error')) return 'a message'
  }
  return undefined
}

export const strykerPlugins: readonly object[] = [
  { kind: 'Reporter', name: 'channels', factory: () => reporter },
  { kind: 'Ignore', name: 'texts', value: { shouldIgnore: ignoredText } },
]
