import { posix } from 'node:path'
import { bannedWordBreaches } from './banned-words.ts'
import { commentOpeningBreaches } from './comment-openings.ts'
import { folderCircleBreaches } from './folder-circles.ts'
import { manifestBreaches } from './manifests.ts'
import type { SourceFile } from './source-file.ts'
import { sqlFunctionBreaches } from './sql-functions.ts'

type LineRule = { readonly says: string; readonly finds: RegExp; readonly in: RegExp; readonly notIn?: RegExp }

type PathRule = { readonly says: string; readonly finds: RegExp; readonly notFor?: RegExp }

const code = /\.(tsx?|mjs)$/
const written = /(\.(tsx?|css|mjs|md|sql|sh|json|jsonc|yaml)|^\.ci\/run)$/
const tests = /\.test\.ts$/
const generated = /(^pnpm-lock\.yaml|CHANGELOG\.md)$/

/** Texts that no line may contain. A letter in brackets keeps a pattern from matching its own line. */
const lineRules: readonly LineRule[] = [
  {
    says: 'an unfinished part: finish it, or open an issue and remove the note',
    finds: /\b(?:TO[D]O|FIX[M]E|XX[X])\b/,
    in: written,
    notIn: generated,
  },
  {
    says: 'a skipped or exclusive test: remove the modifier',
    finds: /\b(?:it|test|describe|suite)(?:\.\w+)*\.(?:only|skip\w*|todo|runIf)\b/,
    in: code,
  },
  {
    says: 'a wait with a time limit of its own, which a busy machine exceeds: use `expect.poll` without one',
    finds: /\bvi\.wait(?:For|Until)\(|\{ timeout: [\d_]+(?:, interval: \d+)? \}/,
    in: /\.(?:test|fixture)\.ts$/,
  },
  {
    says: 'a path of one machine: use a relative path',
    finds: /(?<![\w.])\/(?:work|farm|root|Users|home\/\w+)\/|\.\.\/share[d]\b/,
    in: written,
    notIn: generated,
  },
  {
    says: 'a class that is no error: use a record of functions',
    finds: /^\s*(?:export )?(?:abstract )?class (?!\w+ extends \w*Error\b)/,
    in: code,
    notIn: /^docs\/examples\/src\/own-nest-app\.ts$/, // Its framework finds controllers by their classes.
  },
  {
    says: 'a name for a role (I…, …Impl, …Manager, …Helper): name the thing',
    finds: /\b(?:class|type|interface) (?:I[A-Z][a-z]\w*|\w+(?:Impl|Manager|Helper|Utils))\b/,
    in: code,
  },
  {
    says: 'a silenced compiler error: correct the type',
    finds: /@ts-(?:ignore|nocheck|expect-error)/,
    in: code,
    notIn: tests,
  },
  {
    says: 'a disabled lint rule without a reason: add `-- reason`',
    finds: /(?:ox|es)lint-disable(?!.* -- \S)/,
    in: code,
  },
  {
    says: 'an amount as a float: keep it a bigint of minor units',
    finds: /\b(?:Number|parseFloat|parseInt)\([\w.]*(?:minor|amount|balance)\b/i,
    in: code,
  },
  {
    says: 'a clock in the core: take the time as an argument',
    finds: /\bnew Date(?:\(\)|(?!\())/,
    in: /^packages\/core\/src\/(?!system\/).*\.ts$/,
    notIn: tests,
  },
]

const topLevel =
  /^(?:\.changeset|\.ci|docs|hosts|packages)\/|^(?:\.gitignore|\.npmrc|LICENSE|README\.md|SECURITY\.md|package\.json|pnpm-lock\.yaml|pnpm-workspace\.yaml)$/

const pathRules: readonly PathRule[] = [
  { says: 'a file at the top level that no tool requires there: move it', finds: /^/, notFor: topLevel },
  {
    says: 'a second index.ts in a package: import the file itself',
    finds: /\/index\.ts$/,
    notFor: /^(?:packages|hosts)\/[^/]+\/src\/(?:testing\/)?index\.ts$/,
  },
  {
    says: 'a vague file name (utils, helpers, common): name it for its content',
    finds: /(?:^|[/-])(?:utils?|helpers?|common|misc|impl|manager)(?:[.-][^/]*)?(?:\/|$)/i,
  },
]

/** Every breach of the house rules in these files, each as `path:line: breach: what to do`. */
export function breaches(files: readonly SourceFile[]): string[] {
  return [
    ...files.flatMap(pathBreaches),
    ...files.flatMap(lineBreaches),
    ...files.flatMap(bannedWordBreaches),
    ...files.flatMap(commentOpeningBreaches),
    ...files.flatMap(sqlFunctionBreaches),
    ...folderBreaches(files),
    ...folderCircleBreaches(files),
    ...manifestBreaches(files),
  ]
}

/** Production files a folder may hold. The order of migrations is in their names, so they share one folder. */
const filesMax = 30

const production = /^(?:packages|hosts|docs)\/[^/]+\/src\/.*(?<!\.(?:test|fixture))\.(?:tsx?|mjs)$/

function folderBreaches(files: readonly SourceFile[]): string[] {
  const counts = new Map<string, number>()
  for (const { path } of files.filter((file) => production.test(file.path))) {
    const folder = posix.dirname(path)
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return Array.from(counts)
    .filter(([, count]) => count > filesMax)
    .map(([folder, count]) => `${folder}: ${count} production files: divide them by noun`)
}

const pathBreaches = ({ path }: SourceFile): string[] =>
  pathRules.filter((rule) => rule.finds.test(path) && !rule.notFor?.test(path)).map((rule) => `${path}: ${rule.says}`)

function lineBreaches({ path, text }: SourceFile): string[] {
  const rules = lineRules.filter((rule) => rule.in.test(path) && !rule.notIn?.test(path))
  return text
    .split('\n')
    .flatMap((line, index) =>
      rules.filter((rule) => rule.finds.test(line)).map((rule) => `${path}:${index + 1}: ${rule.says}`),
    )
}
