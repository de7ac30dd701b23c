import { manifestBreaches } from './manifests.ts'
import type { SourceFile } from './source-file.ts'

type LineRule = {
  readonly says: string
  readonly finds: RegExp
  readonly in: RegExp
  readonly notIn?: RegExp
}

type PathRule = { readonly says: string; readonly finds: RegExp; readonly notFor?: RegExp }

const code = /\.(ts|mjs)$/
const written = /(\.(ts|mjs|md|sql|sh|json|jsonc|yaml)|^\.ci\/run)$/
const tests = /\.test\.ts$/
const generated = /(^pnpm-lock\.yaml|CHANGELOG\.md)$/

/** What no line may hold. A letter in brackets keeps a pattern from finding itself. */
const lineRules: readonly LineRule[] = [
  {
    says: 'a note to oneself: do it, or open an issue',
    finds: /\b(?:TO[D]O|FIX[M]E|XX[X])\b/,
    in: written,
    notIn: generated,
  },
  {
    says: 'a test left out or run alone',
    finds: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip\w*|todo|runIf)\b/,
    in: code,
  },
  {
    says: 'a path of the place where this was written',
    finds: /(?<![\w.])\/(?:work|farm|root|Users|home\/\w+)\/|\.\.\/share[d]\b/,
    in: written,
    notIn: generated,
  },
  {
    says: 'only errors are classes',
    finds: /^\s*(?:export )?(?:abstract )?class (?!\w+ extends \w*Error\b)/,
    in: code,
  },
  {
    says: 'name the thing, not its role: no I…, …Impl, …Manager, …Helper',
    finds: /\b(?:class|type|interface) (?:I[A-Z][a-z]\w*|\w+(?:Impl|Manager|Helper|Utils))\b/,
    in: code,
  },
  {
    says: 'the compiler is silenced',
    finds: /@ts-(?:ignore|nocheck|expect-error)/,
    in: code,
    notIn: tests,
  },
  {
    says: 'a lint rule is silenced without saying why (`-- reason`)',
    finds: /(?:ox|es)lint-disable(?!.* -- \S)/,
    in: code,
  },
  {
    says: 'an amount becomes a float',
    finds: /\b(?:Number|parseFloat|parseInt)\([\w.]*(?:minor|amount|balance)\b/i,
    in: code,
  },
  {
    says: 'the core reads no clock: time arrives as an argument',
    finds: /\bnew Date(?:\(\)|(?!\())/,
    in: /^packages\/core\/src\/.*\.ts$/,
    notIn: tests,
  },
]

const topLevel =
  /^(?:\.changeset|\.ci|docs|hosts|packages)\/|^(?:\.gitignore|\.npmrc|LICENSE|README\.md|SECURITY\.md|package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml)$/

const pathRules: readonly PathRule[] = [
  { says: 'the top level is for what tools demand there', finds: /^/, notFor: topLevel },
  {
    says: 'one index.ts a package',
    finds: /\/index\.ts$/,
    notFor:
      /^(?:packages|hosts)\/[^/]+\/src\/index\.ts$|^packages\/[^/]+\/src\/testing\/index\.ts$/,
  },
  {
    says: 'a file is named after a noun or what it does',
    finds: /(?:^|[/-])(?:utils?|helpers?|common|misc|impl|manager)(?:[.-][^/]*)?(?:\/|$)/i,
  },
]

/** A bundle of an older version, in the words of its time. */
const isBundle = ({ path }: SourceFile): boolean =>
  path.startsWith('packages/postgres/previous-version/build/')

/** Every breach of the house rules in these files, each as `path:line: what is wrong`. */
export function breaches(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap(pathBreaches),
    ...files.filter((file) => !isBundle(file)).flatMap(lineBreaches),
    ...manifestBreaches(files),
  ]
}

const pathBreaches = ({ path }: SourceFile): string[] =>
  pathRules
    .filter((rule) => rule.finds.test(path) && !rule.notFor?.test(path))
    .map((rule) => `${path}: ${rule.says}`)

function lineBreaches({ path, text }: SourceFile): string[] {
  const rules = lineRules.filter((rule) => rule.in.test(path) && !rule.notIn?.test(path))
  return text
    .split('\n')
    .flatMap((line, index) =>
      rules
        .filter((rule) => rule.finds.test(line))
        .map((rule) => `${path}:${index + 1}: ${rule.says}`),
    )
}
