import type { SourceFile } from './source-file.ts'

type BannedWord = {
  /** Separated by commas, each in lower case. A space also stands for `_`, `-` or the next word of a camelCase name. */
  readonly words: string
  readonly instead: string
  readonly in?: RegExp
  readonly notIn?: RegExp
}

type BannedName = { readonly name: RegExp; readonly instead: string; readonly in: RegExp }

const code = /\.(?:ts|mjs|sql)$/
const written = /\.(?:ts|mjs|sql|sh|md|yaml|jsonc|html|css)$|(?:^|\/)package\.json$|^\.(?:ci|changeset)\//

/** Files that quote old words: this list and its test, generated files. */
const quoting = /^packages\/config\/src\/banned-words(?:\.test)?\.ts$|CHANGELOG\.md$|^pnpm-lock\.yaml$/

/** Each of these words had a second meaning, or replaced a standard term. */
const bannedWords: readonly BannedWord[] = [
  { words: 'ladder', instead: 'retry policy, retry delays' },
  { words: 'streak', instead: 'consecutive failures' },
  { words: 'verdict', instead: 'result, decision, outcome or invariant' },
  { words: 'judge, judged, judging', instead: 'check or decide' },
  { words: 'hand out, handed out, handing out', instead: 'enqueue, queued' },
  { words: 'take back, took back, taken back', instead: 'requeue, undo or remove' },
  {
    words: 'seal, sealed, sealing, unseal, unsealed',
    instead: 'address MAC for an address; encrypt, decrypt for a secret',
  },
  {
    words: 'fence, fenced',
    instead: 'fencing token for a claim; cancel at the QR network',
    // Markdown's code blocks have fences.
    notIn: /^hosts\/local\/src\/test\/documents\//,
  },
  { words: 'lane', instead: 'batch connection or delivery class' },
  { words: 'conclude, concluded, concluding', instead: 'settle' },
  { words: 'closings, close books, closed books', instead: 'balance checkpoint' },
  { words: 'crew', instead: 'task pool' },
  { words: 'upkeep', instead: 'maintenance' },
  { words: 'sighting', instead: 'observed transfer' },
  { words: 'stranger', instead: 'unknown-token recipients, or name the actor' },
  { words: 'patience', instead: 'timeouts' },
  {
    words: 'tell, told, telling',
    instead: 'notify, report, record, send or distinguish',
    // A comment of a recorded migration.
    notIn: /^packages\/postgres\/migrations\/0012-webhooks\.sql$/,
  },
  { words: 'alarm, incident', instead: 'alert' },
  { words: 'room', instead: 'package, tenant data', in: /^(?:docs|packages\/(?:config|contracts|memory))\// },
  { words: 'lobby, shelf', instead: 'takers, messages' },
  { words: 'outlet, rig', instead: 'harness' },
  { words: 'postman', instead: 'subscriber' },
  { words: 'shop', instead: 'demo client', in: /^hosts\/local\// },
  { words: 'chapter', instead: 'step' },
  { words: 'wish, wishes', instead: 'request, input or options' },
  { words: 'story, stories', instead: 'scenario' },
  { words: 'play, played', instead: 'run', in: code },
  {
    words: 'stage',
    instead: 'setup',
    in: code,
    // A first start has stages.
    notIn: /^hosts\/local\/src\/test\/crash\/kill-first-start\.test\.ts$/,
  },
  { words: 'weather', instead: 'faults' },
  { words: 'wild chain', instead: 'forking chain' },
  {
    words: 'believe, believed, believing',
    instead: 'accept, check or verify',
    // Its rules quote the word.
    notIn: /^docs\/contributing\.md$/,
  },
  { words: 'whoever, somebody, everybody', instead: 'the actor: the worker, the caller, the tenant' },
  { words: 'so many, in so long', instead: 'the number' },
  { words: 'that which', instead: 'the thing' },
]

const stores = /^packages\/(?:core|contracts|memory|postgres)\/.*\.(?:ts|sql)$/

/** Names that are also English words. Their spelling distinguishes them. */
const bannedNames: readonly BannedName[] = [
  { name: /\bKnown\b/, instead: 'StoredPayout', in: /\.ts$/ },
  { name: /(?:\btype|[:<|]) Outside\b/, instead: 'Dependency', in: /\.ts$/ },
  { name: /\basked:/, instead: 'claimCount', in: stores },
  { name: /'refuse'/, instead: 'insert_ended', in: stores },
  {
    name: /\b(?:finish|end|conclude)(?:Payout|Deposit|FaucetSend|Send)\b|\bclose(?:Payout|Send)\b/,
    instead: 'settle',
    in: /\.ts$/,
  },
  { name: /^[^-]*\b(?:way|why|who)\b/, instead: 'direction, reason, actor', in: /\.sql$/ },
]

const capitalized = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** Finds the word and its plural alone, and as a part of a camelCase, snake_case or SCREAMING name. */
function patternOf(word: string): RegExp {
  const [first = '', ...rest] = word.split(' ')
  const title = rest.map(capitalized).join('')
  const spaced = [first, ...rest].join('[ _-]?')
  const lower = `(?<![A-Za-z])(?:${spaced}|${first}${title})(?:s|es)?(?![a-z])`
  const upper = `${capitalized(first)}(?:${title}|[ _-]?${rest.join('[ _-]?')})(?:s|es)?(?![a-z])`
  const screaming = `(?<![A-Z])${spaced.toUpperCase()}(?:S|ES)?(?![A-Z])`
  return new RegExp(`${lower}|${upper}|${screaming}`)
}

const rules = [
  ...bannedWords.flatMap(({ words, ...rule }) =>
    words.split(', ').map((word) => ({ in: written, ...rule, finds: patternOf(word) })),
  ),
  ...bannedNames.map(({ name, ...rule }) => ({ ...rule, notIn: undefined, finds: name })),
]

/** The banned words in a file's path and lines, each with the word to use. */
export function bannedWordBreaches({ path, text }: SourceFile): string[] {
  if (quoting.test(path)) return []
  const here = rules.filter((rule) => rule.in.test(path) && !rule.notIn?.test(path))
  const inLine = (line: string, place: string): string[] =>
    here.flatMap(({ finds, instead }) => {
      const word = finds.exec(line)?.[0].trim()
      return word === undefined ? [] : [`${place}: instead of "${word}" write: ${instead}`]
    })
  return [...inLine(path, path), ...text.split('\n').flatMap((line, index) => inLine(line, `${path}:${index + 1}`))]
}
