import type { ChainReader } from '@quipu/core'
import type { ChainView } from '@quipu/core/adapter'
import { isTronConfigured, tronNodeLimits } from '@quipu/runtime'
import { systemTimer } from '@quipu/core/system'
import { checkChain, genesisBlockIds, tronChainReader, tronNode, type TronNode, unservedView } from '@quipu/tron'
import { fail, failing, type Finding, isUnavailable, ok, warn } from './finding.ts'
import type { ReadSettings } from './read-settings.ts'

/** A provider of the chain, as the settings describe it. */
type Provider = {
  readonly name: 'node' | 'verifier'
  /** The settings of its URLs. */
  readonly variables: Readonly<Record<ChainView, string>>
  readonly node: TronNode
  readonly reader: ChainReader
}

/** Both providers: the chain, the token, their newest blocks, and whether they agree. */
export async function checkProviders(settings: ReadSettings): Promise<readonly Finding[]> {
  if (!isTronConfigured(settings)) return [ok('chain', 'not configured: there are no deposits (TRON_NODE_URL)')]
  const { TRON_TOKEN_CONTRACT: tokenContract, TRON_GENESIS_BLOCK: chain } = settings
  const providers = providersOf(settings, tokenContract)
  const genesisBlockId = genesisBlockIds[chain as keyof typeof genesisBlockIds] ?? chain
  try {
    const each = await Promise.all(
      providers.map((provider) => checkProvider(provider, { genesisBlockId, tokenContract, decimals: 6 })),
    )
    return [...each.flat(), ...(await agreement(providers))]
  } finally {
    await Promise.all(providers.map(({ node }) => node.stop()))
  }
}

/** For settings that are invalid, which are reported by themselves. */
const nodeDefaults = { TRON_REQUESTS_PER_SECOND: 10, TRON_TIMEOUT_SECONDS: 5, TRON_ANSWER_MIB: 64 }

function providersOf(settings: ReadSettings, tokenContract: string): readonly Provider[] {
  const providerOf = (
    name: Provider['name'],
    variables: Provider['variables'],
    url: string | undefined,
    solidUrl: string | undefined,
    apiKey: string | undefined,
  ): Provider[] => {
    if (url === undefined) return []
    const node = tronNode({
      url,
      ...(solidUrl !== undefined && { solidUrl }),
      ...(apiKey !== undefined && { apiKey }),
      ...tronNodeLimits({ ...nodeDefaults, ...settings }),
      attempts: 2,
      timer: systemTimer,
    })
    return [{ name, variables, node, reader: tronChainReader({ node, tokenContract }) }]
  }
  return [
    ...providerOf(
      'node',
      { head: 'TRON_NODE_URL', solid: 'TRON_SOLIDITY_NODE_URL' },
      settings.TRON_NODE_URL,
      settings.TRON_SOLIDITY_NODE_URL,
      settings.TRON_API_KEY,
    ),
    ...providerOf(
      'verifier',
      { head: 'TRON_VERIFIER_URL', solid: 'TRON_VERIFIER_SOLIDITY_URL' },
      settings.TRON_VERIFIER_URL,
      settings.TRON_VERIFIER_SOLIDITY_URL,
      settings.TRON_VERIFIER_API_KEY,
    ),
  ]
}

type Hint = (variables: Provider['variables']) => string

/** A java-tron node has a port for each view. */
const portHints: Readonly<Record<ChainView, Hint>> = {
  head: ({ head }) => `Set ${head} to the full node: port 8090 of java-tron, by default.`,
  solid: ({ head, solid }) =>
    `Set ${solid} to the solidity node, which ${head} does not serve: port 8091 of java-tron, by default.`,
}

async function checkProvider(
  { name, variables, node, reader }: Provider,
  expected: Parameters<typeof checkChain>[1],
): Promise<readonly Finding[]> {
  const check = `chain.${name}`
  const mend = (error: unknown): string => {
    const unserved = unservedView(error)
    if (unserved) return portHints[unserved](variables)
    return isUnavailable(error)
      ? `Check ${variables.head}, its API key, and the provider's status; or take another provider.`
      : `Set ${variables.head}, TRON_GENESIS_BLOCK and TRON_TOKEN_CONTRACT to the same chain.`
  }
  return failing(check, mend, async () => {
    await checkChain(node, expected)
    const [head, solid, token] = await Promise.all([reader.head('head'), reader.head('solid'), reader.tokenState()])
    return [
      ok(check, `the configured chain and token; head ${head.number}, solid ${solid.number}`),
      ageFinding(`${check}.head`, head.at, 60, 300),
      ageFinding(`${check}.solid`, solid.at, 300, 900),
      ...(token === 'normal'
        ? []
        : [warn(`${check}.token`, `the token is ${token}`, 'Deposits go to review meanwhile: ask its issuer.')]),
    ]
  })
}

function ageFinding(check: string, at: Date, warnSeconds: number, failSeconds: number): Finding {
  const seconds = Math.round((Date.now() - at.getTime()) / 1000)
  const detail = `its newest block is ${Math.max(0, seconds)} s old`
  const mend = 'The provider is behind, or this machine’s clock is wrong: see clock, and take another provider.'
  if (seconds < -20)
    return fail(
      check,
      `its newest block is ${-seconds} s in the future`,
      'This machine’s clock is behind: see clock, and repair its time synchronisation.',
    )
  if (seconds > failSeconds) return fail(check, detail, mend)
  return seconds > warnSeconds ? warn(check, detail, mend) : ok(check, detail)
}

/** The block ids of a solid block that both have. */
async function agreement(providers: readonly Provider[]): Promise<readonly Finding[]> {
  const check = 'chain.agreement'
  const [one, other] = providers.map(({ reader }) => reader)
  if (one === undefined || other === undefined)
    return [warn(check, 'there is no second provider', 'Set TRON_VERIFIER_URL: large deposits need a second provider.')]
  return failing(check, 'One provider does not answer: see above.', async () => {
    const heads = await Promise.all([one.head('solid'), other.head('solid')])
    const number = Math.min(...heads.map((head) => head.number))
    const [first, second] = await Promise.all([one.ref('solid', number), other.ref('solid', number)])
    if (first?.id === second?.id && first !== undefined) return [ok(check, `both have the same solid block ${number}`)]
    const detail = `solid block ${number} is ${first?.id ?? 'missing'} at one and ${second?.id ?? 'missing'} at the other`
    return [fail(check, detail, 'Find out which one is wrong, with a third source, before deposits are credited.')]
  })
}
