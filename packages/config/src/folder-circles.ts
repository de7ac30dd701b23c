import { posix } from 'node:path'
import type { SourceFile } from './source-file.ts'

const production = /^((?:packages|hosts)\/(?!simulators\/)[^/]+\/src)\/.*(?<!\.(?:test|fixture|contract))\.tsx?$/
const importedPath = /\b(?:from|import)\s*\(?\s*'(\.{1,2}\/[^']+)'/g

/** Imports of one place below a parent by another one: a place is a folder, or a file. */
type Arrows = ReadonlyMap<string, ReadonlyMap<string, string>>

/**
 * The places of a package that import each other in a circle, straight or through others, with an import of each step.
 * Compared are the places below the folder that two files share: `payout/` and `deposit/`, or `ports.ts` and `payout/`.
 */
export function folderCircleBreaches(files: readonly SourceFile[]): string[] {
  const arrows = arrowsOf(files.filter(({ path }) => production.test(path)))
  const circles = Array.from(arrows.keys(), (place) => circleFrom(place, arrows)).filter(
    (circle) => circle !== undefined,
  )
  // A circle is found from each of its places: it is reported for the first of them.
  return circles
    .filter((circle) => circle[0] === circle.toSorted()[0])
    .map((circle) => {
      const steps = circle.map(
        (place, index) => arrows.get(place)?.get(circle[(index + 1) % circle.length] ?? '') ?? '',
      )
      return `${circle[0]}: imports itself through ${steps.join(', ')}: move what both need below them`
    })
}

function arrowsOf(files: readonly SourceFile[]): Arrows {
  const known = new Set(files.map(({ path }) => path))
  const arrows = new Map<string, Map<string, string>>()
  for (const { path, text } of files)
    for (const [, specifier = ''] of text.matchAll(importedPath)) {
      const target = posix.join(posix.dirname(path), specifier)
      if (!known.has(target)) continue
      const [from, to] = placesOf(path, target)
      if (from === to) continue
      const targets = arrows.get(from) ?? new Map<string, string>()
      arrows.set(from, targets.set(to, `${path} → ${target}`))
    }
  return arrows
}

/** Where two paths part. */
function placesOf(one: string, other: string): [string, string] {
  const [a, b] = [one.split('/'), other.split('/')]
  const shared = a.findIndex((part, index) => part !== b[index])
  const depth = shared === -1 ? a.length : shared + 1
  return [a.slice(0, depth).join('/'), b.slice(0, depth).join('/')]
}

/** The shortest circle through the place. */
function circleFrom(place: string, arrows: Arrows): readonly string[] | undefined {
  const queue: (readonly string[])[] = [[place]]
  const seen = new Set<string>()
  for (const path of queue) {
    for (const next of arrows.get(path.at(-1) ?? '')?.keys() ?? []) {
      if (next === place) return path
      if (seen.has(next)) continue
      seen.add(next)
      queue.push([...path, next])
    }
  }
  return undefined
}
