import type { IConfiguration, IRegularForbiddenRuleType } from 'dependency-cruiser'

/** The packages of this repository that each package may import; a name that is missing may import nothing. */
const workspace: Readonly<Record<string, readonly string[]>> = {
  core: [],
  contracts: ['core'],
  wire: ['core'],
  memory: ['core', 'wire'],
  postgres: ['core', 'wire', 'tracing'],
  'http-json': ['tracing'],
  openhub: ['core', 'http-json'],
  'qr-network': ['core', 'wire', 'http-json'],
  rates: ['core', 'wire', 'http-json', 'tracing'],
  screening: ['core', 'http-json'],
  runtime: ['core', 'tracing'],
  tracing: [],
  tron: ['core', 'tracing'],
  'webhook-http': ['core', 'tracing'],
  sqs: ['core', 'tracing'],
  client: [],
  console: ['wire'],
  reference: [],
  simulators: [],
  'embedded-postgres': [],
  config: [],
}

/** The packages that the tests of a package may import besides. */
const workspaceOfTests: Readonly<Record<string, readonly string[]>> = {
  client: ['wire'], // Its types are those of the document.
  memory: ['contracts'],
  postgres: ['contracts'],
  openhub: ['contracts', 'qr-network'], // The issuer of its test QRs.
  'qr-network': ['contracts'],
  rates: ['contracts'],
  screening: ['contracts'],
  reference: ['client', 'wire'], // It shows the document, and code that calls the client.
  sqs: ['contracts'],
  tron: ['contracts'],
  wire: ['contracts'],
}

/** The paths that may import each technology. Other code reaches it through a port. */
const technologies = {
  '@aws-sdk/client-sqs': 'packages/sqs/src/',
  '@opentelemetry/(context-async-hooks|core|exporter-trace-otlp-proto|resources|sdk-trace)':
    'packages/tracing/src/(sdk/|testing[.]ts)',
  '@opentelemetry/api': 'packages/tracing/src/',
  commander: '(hosts/admin|packages/client)/src/',
  'dinero.js': 'packages/core/src/money.ts',
  'embedded-postgres': 'packages/embedded-postgres/src/',
  express: 'hosts/(api|example)/src/',
  inversify: 'hosts/',
  marked: 'packages/reference/src/bundle/',
  pg: '(packages/(postgres|embedded-postgres)|hosts/[^/]+)/src/',
  pino: '(packages/runtime/src|hosts)/',
  preact: 'packages/console/src/browser/',
  'oidc-provider': 'hosts/api/src/test/',
  'openid-client': 'hosts/api/src/operator/session/',
  'prom-client': 'packages/runtime/src/',
  qrcode: 'hosts/api/src/',
  'reflect-metadata': 'hosts/',
  rolldown: '(packages/((client|console|reference)/src/bundle|config/src)|hosts/local/src/test/harness)/',
  tronweb: 'packages/(tron|simulators)/src/.+[.](test|fixture)[.]ts$',
  uplot: 'packages/console/src/(browser|bundle)/',
  undici: '(packages/(http-json|rates|tron|webhook-http)|hosts/lab)/src/',
  zod: '(packages/(wire|qr-network|runtime|simulators|tron)|hosts/[^/]+)/src/',
  'zod-openapi': 'packages/wire/src/',
}

/** Test files, fixtures, test entries of packages, and what sets up a test run. */
const ownTests = '([/.](test|fixture)[.]ts|/src/testing(/.+|[.]ts)|/src/(test|vitest)-[^/]+[.]ts)$'
/** Code that only tests and people run: the above, the contract suites and the laboratory. */
const testCode = [ownTests, '^packages/contracts/src/', '^hosts/lab/src/']
const testPackages = '^packages/(simulators|embedded-postgres)/src/'

const npm = (name: string): string => `(^|node_modules/)(@types/)?${name.replaceAll('.', '[.]')}(/|$)`

const error = (
  name: string,
  comment: string,
  from: IRegularForbiddenRuleType['from'],
  to: IRegularForbiddenRuleType['to'],
): IRegularForbiddenRuleType => ({ severity: 'error', name, comment, from, to })

const reachOf = (names: readonly string[]): string => `^packages/(${names.join('|')})/`

const boundaries = Object.entries(workspace).flatMap(([name, allowed]) => {
  const reach = reachOf([name, ...allowed])
  const reachOfTests = reachOf([name, ...allowed, ...(workspaceOfTests[name] ?? [])])
  const comment = `Of this repository, ${name} imports only ${['itself', ...allowed].join(' and ')}.`
  const from = { path: `^packages/${name}/src/` }
  const to = { path: '^(packages|hosts)/' }
  return [
    error(`boundary-${name}`, comment, { ...from, pathNot: ownTests }, { ...to, pathNot: reach }),
    error(`boundary-${name}`, comment, from, { ...to, pathNot: [reachOfTests, testPackages] }),
  ]
})

const unlisted = error(
  'boundary-unlisted',
  'List in dependency-cruiser.config.ts what this package may import.',
  { path: '^packages/([^/]+)/', pathNot: `^packages/(${Object.keys(workspace).join('|')})/` },
  { path: '^(packages|hosts)/', pathNot: '^packages/$1/' },
)

const homes = Object.entries(technologies).map(([name, home]) =>
  error(
    `home-of-${name}`,
    `Only ${home} imports ${name}: use a port.`,
    { path: '^(packages|hosts)/', pathNot: [`^${home}`, ...testCode] },
    { path: npm(name) },
  ),
)

/** The ports of the process: the one part of the core that runs on Node. */
const systemOfCore = '^packages/core/src/system(/|[.]ts$)'

const core = [
  error(
    'core-without-its-system',
    'The core imports no clock and no timer: take it as a port.',
    { path: '^packages/core/src/', pathNot: [...testCode, systemOfCore] },
    { path: systemOfCore },
  ),
  error(
    'core-imports-nothing',
    'The core imports no package and no module of Node, except dinero.js in money.ts and node:crypto in its digests: add a port.',
    {
      path: '^packages/core/src/',
      pathNot: [...testCode, '^packages/core/src/(money|digest|webhook/signature)[.]ts$', systemOfCore],
    },
    { pathNot: '^(packages|hosts)/' },
  ),
  error(
    'core-money-imports-dinero',
    'money.ts imports dinero.js, and no other package or module of Node.',
    { path: '^packages/core/src/money[.]ts$' },
    { pathNot: ['^packages/core/src/', npm('dinero.js')] },
  ),
  error(
    'core-digests-import-crypto',
    'The digest and signature files import node:crypto, and no package or other module of Node.',
    { path: '^packages/core/src/(digest|webhook/signature)[.]ts$' },
    { pathNot: ['^packages/core/src/', '^(node:)?crypto$'] },
  ),
]

/** Bundled with what it imports. */
const commandOfClient = '^packages/client/src/((cli|bundle|terminal)/|terminal[.]ts$)'

const client = [
  error(
    'client-runs-anywhere',
    'The client imports no package and no module of Node, so that it runs at the edge. Its command runs in Node.',
    { path: '^packages/client/src/', pathNot: [...testCode, commandOfClient] },
    { pathNot: '^packages/client/' },
  ),
  error(
    'client-without-its-command',
    'The command imports the client, not the other way round: programs that import the client load none of it.',
    { path: '^packages/client/src/', pathNot: [...testCode, commandOfClient] },
    { path: commandOfClient },
  ),
]

const examples = [
  error(
    'examples-use-published-packages',
    'The examples of the documentation import published packages only. Their tests may run simulators.',
    { path: '^docs/', pathNot: testCode },
    { path: ['^hosts/', '^packages/(config|runtime|simulators|embedded-postgres)/'] },
  ),
]

const everywhere = [
  error(
    'no-cycles',
    'Break the cycle: move what both files need into one of them, or into a third.',
    {},
    { circular: true },
  ),
  error(
    'no-orphans',
    'No file imports this file, and it imports none: import it or delete it.',
    { orphan: true, pathNot: ['/src/index[.]ts$', ...testCode] },
    {},
  ),
  error('resolvable', 'The imported file does not exist: correct the path.', {}, { couldNotResolve: true }),
  error(
    'listed',
    'Add the package to the package.json of the importing package.',
    {},
    { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
  ),
  error(
    'no-test-code-in-production',
    'Only tests and the laboratory import test code: move what production needs out of it.',
    { path: '^(packages|hosts|docs)/', pathNot: [...testCode, '^packages/config/'] },
    { path: [...testCode, npm('(vitest|fast-check)')] },
  ),
  error(
    'no-simulators-in-production',
    'Only local, the laboratory and tests run simulators and an embedded PostgreSQL.',
    { path: '^hosts/', pathNot: ['^hosts/local/', ...testCode] },
    { path: testPackages },
  ),
  error(
    'hosts-stand-alone',
    'A host imports no other host, but for admin, example, local and lab.',
    { path: '^hosts/([^/]+)/', pathNot: '^hosts/(admin|example|lab|local)/' },
    { path: '^hosts/', pathNot: '^hosts/$1/' },
  ),
  error(
    'admin-reads-settings',
    'Of the other hosts, admin imports the settings of api and worker only.',
    { path: '^hosts/admin/' },
    { path: '^hosts/', pathNot: ['^hosts/admin/', '^hosts/(api|worker)/src/settings/'] },
  ),
  error(
    'example-is-the-api',
    'Of the other hosts, example imports api only.',
    { path: '^hosts/example/' },
    { path: '^hosts/', pathNot: '^hosts/(example|api)/' },
  ),
  error(
    'local-runs-hosts',
    'Local imports no other host but api, worker and example, and what admin has for tests.',
    { path: '^hosts/local/' },
    { path: '^hosts/', pathNot: ['^hosts/local/', '^hosts/(api|worker|example)/', '^hosts/admin/src/testing.ts'] },
  ),
]

const config: IConfiguration = {
  forbidden: [...boundaries, unlisted, ...homes, ...core, ...client, ...examples, ...everywhere],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(packages|hosts|docs)/[^/]+/dist/' },
    tsPreCompilationDeps: true, // Counts imports of types, too.
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'types', 'node', 'import', 'default'],
      extensions: ['.ts', '.tsx', '.mjs', '.js', '.json', '.d.ts'],
    },
  },
}

export default config
